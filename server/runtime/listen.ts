import type { Server } from 'node:net';
import { env } from '#server/env.ts';
import { StartError } from '#server/runtime/start-error.ts';

// Thousands of portals come back at once after a restart; what the queue has no room for waits for seconds. The system may set less.
const longestQueue = 4096;

/** Where a server is to listen, and the variables that say so. */
export type Place = { host: string; port: number; variables: [host: string, port: string] };

const placeOfPages = (): Place => ({ host: env().HOST, port: env().PORT, variables: ['HOST', 'PORT'] });

/** Takes a place (`HOST` and `PORT` unless told otherwise) for a server and answers the port, which is another one for 0. Throws `StartError` when it cannot. */
export function listen(server: Server, place = placeOfPages()): Promise<number> {
  const { host, port, variables } = place;
  const [ofHost, ofPort] = variables;
  return new Promise((resolve, reject) => {
    // Also later: a connection that could not be taken must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `${ofPort}: ${port} on ${host} is already in use; stop the other program or set ${ofPort} to another number.`,
        EACCES: `${ofPort}: ${port} needs more rights than this user has; set ${ofPort} to a number above 1023.`,
      };
      reject(
        new StartError(reasons[error.code ?? ''] ?? `${ofHost}: cannot listen on ${host}:${port} (${error.code}).`),
      );
    });
    server.listen({ port, host, backlog: longestQueue }, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}
