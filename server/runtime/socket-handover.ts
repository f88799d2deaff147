import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Passes connections to child processes over IPC. A child confirms each one. When it dies before,
 * the connection is closed. Node's own protocol would leave such a connection open for ever.
 */
export class SocketHandover {
  private readonly unconfirmed = new Map<ChildProcess, Map<number, Socket>>();
  private lastId = 0;

  /** How many connections were passed and not confirmed yet. */
  count(): number {
    return [...this.unconfirmed.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Passes a connection to a child, with a message that gets an `id`. `onUnsent` runs when the child
   * has not got it and never will.
   */
  pass(child: ChildProcess, connection: Socket, message: object, onUnsent: () => void): void {
    const id = ++this.lastId;
    const passed = this.unconfirmed.get(child) ?? new Map<number, Socket>();
    this.unconfirmed.set(child, passed.set(id, connection));
    child.send({ ...message, id }, connection, { keepOpen: true }, (error) => {
      if (error && this.unconfirmed.get(child)?.delete(id)) onUnsent();
    });
  }

  /** Confirms that a child has a connection, and closes this process's handle of it. */
  confirm(child: ChildProcess, id: number): void {
    this.unconfirmed.get(child)?.get(id)?.destroy();
    this.unconfirmed.get(child)?.delete(id);
  }

  /** Closes the connections that were on their way to a dead child. */
  discard(child: ChildProcess): void {
    for (const connection of this.unconfirmed.get(child)?.values() ?? []) connection.destroy();
    this.unconfirmed.delete(child);
  }
}
