import type { ChildProcess } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { listen } from '#server/runtime/listen.ts';
import { SocketHandover } from '#server/runtime/socket-handover.ts';
import type { Handover } from '#server/runtime/worker-messages.ts';

/**
 * Owns the port and hands connections to workers, in rotation. Without a worker, connections wait.
 * It reads nothing from them. When a worker dies, the connections on their way to it are closed.
 *
 * It replaces node:cluster, which never closes such connections and loses the port with its last
 * worker.
 */
export class ConnectionDispatcher {
  private readonly server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (connection) => {
    connection.on('error', () => {});
    this.dispatch(connection);
  });
  private readonly workers: ChildProcess[] = [];
  private readonly handover = new SocketHandover();
  private waiting: Socket[] = [];

  /** Takes the port and returns it. Throws `StartError`. */
  listen(): Promise<number> {
    return listen(this.server);
  }

  /** Releases the port and closes waiting connections. */
  close(): void {
    this.server.close();
    for (const connection of this.waiting.splice(0)) connection.destroy();
  }

  /** Adds a worker to the rotation. */
  add(worker: ChildProcess): void {
    if (!worker.connected || this.workers.includes(worker)) return;
    this.workers.push(worker);
    for (const connection of this.waiting.splice(0)) this.dispatch(connection);
  }

  /**
   * Removes a worker from the rotation. It still gets what was sent to it, before any later
   * command.
   */
  remove(worker: ChildProcess): void {
    const at = this.workers.indexOf(worker);
    if (at !== -1) this.workers.splice(at, 1);
  }

  /** Confirms that a worker has a connection, and closes this process's handle of it. */
  confirm(worker: ChildProcess, id: number): void {
    this.handover.confirm(worker, id);
  }

  /** Removes a dead worker and closes the connections that were on their way to it. */
  discard(worker: ChildProcess): void {
    this.remove(worker);
    this.handover.discard(worker);
  }

  private dispatch(connection: Socket): void {
    const worker = this.workers.shift();
    if (!worker) return void this.waiting.push(connection);
    this.workers.push(worker);
    const command: Handover = { command: 'accept' };
    this.handover.pass(worker, connection, command, () => {
      this.remove(worker);
      this.dispatch(connection);
    });
  }
}
