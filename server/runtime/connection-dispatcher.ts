import type { ChildProcess } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { listen } from '#server/runtime/listen.ts';

/** What a process is told together with a connection; it answers with `taken` and the same number. */
export type Handover = { order: 'take'; id: number };

/**
 * The one port of several processes. It takes connections and deals them out in turn to those that were let in; while nobody is,
 * they wait. Nothing of a connection is read here. One that is on its way to a process that dies is ended with it: node:cluster, which would
 * do the rest, leaves such a client waiting for ever, and gives up the port when its last process dies.
 */
export class Door {
  private readonly server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (connection) => {
    connection.on('error', () => {});
    this.deal(connection);
  });
  private readonly takers: ChildProcess[] = [];
  private readonly underway = new Map<ChildProcess, Map<number, Socket>>();
  private waiting: Socket[] = [];
  private dealt = 0;

  /** Takes the port and answers which it is. Throws `StartError`. */
  open(): Promise<number> {
    return listen(this.server);
  }

  /** Takes no more connections, and ends those that wait. */
  close(): void {
    this.server.close();
    for (const connection of this.waiting.splice(0)) connection.destroy();
  }

  /** Deals connections to this process too. */
  letIn(taker: ChildProcess): void {
    if (!taker.connected || this.takers.includes(taker)) return;
    this.takers.push(taker);
    if (!this.underway.has(taker)) this.underway.set(taker, new Map());
    for (const connection of this.waiting.splice(0)) this.deal(connection);
  }

  /** Deals no further connection to this process; what was dealt to it reaches it before whatever it is told from now on. */
  letOut(taker: ChildProcess): void {
    const at = this.takers.indexOf(taker);
    if (at !== -1) this.takers.splice(at, 1);
  }

  /** The process has the connection now. */
  noteTaken(taker: ChildProcess, id: number): void {
    this.underway.get(taker)?.get(id)?.destroy();
    this.underway.get(taker)?.delete(id);
  }

  /** The process is gone, and with it what was on the way to it. */
  forget(taker: ChildProcess): void {
    this.letOut(taker);
    for (const connection of this.underway.get(taker)?.values() ?? []) connection.destroy();
    this.underway.delete(taker);
  }

  private deal(connection: Socket): void {
    const taker = this.takers.shift();
    if (!taker) return void this.waiting.push(connection);
    this.takers.push(taker);
    const id = ++this.dealt;
    this.underway.get(taker)?.set(id, connection);
    const handover: Handover = { order: 'take', id };
    taker.send(handover, connection, { keepOpen: true }, (error) => {
      if (!error) return;
      // It was not even sent: somebody else can have it.
      this.letOut(taker);
      if (this.underway.get(taker)?.delete(id)) this.deal(connection);
    });
  }
}
