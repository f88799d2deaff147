import type { Server } from 'node:net';
import { env } from '#server/env.ts';
import { StartError } from '#server/start-error.ts';

// Thousands of portals come back at once after a restart; what the queue has no room for waits for seconds. The system may set less.
const longestQueue = 4096;

/** Takes `HOST` and `PORT` for a server and answers the port, which is another one for 0. Throws `StartError` when it cannot. */
export function listen(server: Server): Promise<number> {
  const { HOST: host, PORT: port } = env();
  return new Promise((resolve, reject) => {
    // Also later: a connection that could not be taken must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `PORT: ${port} on ${host} is already in use; stop the other program or set PORT to another number.`,
        EACCES: `PORT: ${port} needs more rights than this user has; set PORT to a number above 1023.`,
      };
      reject(new StartError(reasons[error.code ?? ''] ?? `HOST: cannot listen on ${host}:${port} (${error.code}).`));
    });
    server.listen({ port, host, backlog: longestQueue }, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}
