import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { log } from '#platform/log/log.ts';

/**
 * Keeps the process alive when a connection is lost while the driver fetches the types of arrays
 * (README.md, "Array types"). Every other unhandled rejection still ends the process, unless Next
 * listens for it too and logs it.
 */
export function surviveLostConnections(): void {
  process.on('unhandledRejection', (error) => {
    if (isDatabaseUnavailable(error))
      return log().debug({ err: error }, 'a connection to the database was lost as it began');
    if (process.listenerCount('unhandledRejection') === 1) throw error;
  });
}
