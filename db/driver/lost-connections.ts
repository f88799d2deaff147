import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { log } from '#server/log.ts';

/**
 * Lets the process live when a connection to the database is lost in its first moment: the driver (3.4.9) then asks for the types of
 * arrays, and nobody waits for that. Whatever else failed unseen is left to Next, which notes it, or where Next is not, ends the process.
 */
export function surviveLostConnections(): void {
  process.on('unhandledRejection', (error) => {
    if (isDatabaseUnavailable(error))
      return log().debug({ err: error }, 'a connection to the database was lost as it began');
    if (process.listenerCount('unhandledRejection') === 1) throw error;
  });
}
