import { createServer, type Server } from 'node:net';
import { env } from '#platform/config/settings.ts';
import { StartError } from '#server/runtime/start-error.ts';

// After a restart thousands of portals reconnect at once. Connections beyond the queue are retried
// by the client's system after seconds. The operating system may set a lower limit.
const backlog = 4096;

type ListenAddress = { host: string; port: number; variables: [host: string, port: string] };

const serviceAddress = (): ListenAddress => ({ host: env().HOST, port: env().PORT, variables: ['HOST', 'PORT'] });

/** Throws `StartError` when HOST and PORT cannot be taken. */
export async function requireFreePort(): Promise<void> {
  const server = createServer();
  await listen(server);
  await new Promise((resolve) => server.close(resolve));
}

/** Binds a server to an address (default: HOST and PORT). Returns the port, also for port 0. Throws `StartError`. */
export function listen(server: Server, { host, port, variables } = serviceAddress()): Promise<number> {
  const [hostVariable, portVariable] = variables;
  return new Promise((resolve, reject) => {
    // Stays after the start: a connection that cannot be accepted must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `${portVariable}: ${port} on ${host} is already in use; stop the other program or set ${portVariable} to another number.`,
        EACCES: `${portVariable}: ${port} needs more rights than this user has; set ${portVariable} to a number above 1023.`,
      };
      const unknown = `${hostVariable}: cannot listen on ${host}:${port} (${error.code}); set it to an address of this machine.`;
      reject(new StartError(reasons[error.code ?? ''] ?? unknown));
    });
    server.listen({ port, host, backlog }, () => {
      const socketAddress = server.address();
      resolve(typeof socketAddress === 'object' && socketAddress !== null ? socketAddress.port : port);
    });
  });
}
