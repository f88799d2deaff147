import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

type Message = { id: number; question: unknown } | { id: number; answer: unknown };

// The reply to a question: an answer, `unsent` (not sent), or `lost` (the other process ended).
type Reply = { answer: unknown } | 'unsent' | 'lost';

/** Questions and answers between a process and its child, over IPC. */
export class Channel<Question extends object> {
  private readonly peer: ChildProcess | NodeJS.Process;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private lastId = 0;

  /** `answer` gets what the other side asks, with the connection that came with it. */
  constructor(
    peer: ChildProcess | NodeJS.Process,
    answer: (question: never, connection: Socket | undefined) => unknown = () => null,
  ) {
    this.peer = peer;
    peer.on('message', async (message: Message, connection?: Socket) => {
      if ('answer' in message) return this.settle(message.id, { answer: message.answer });
      const reply = { id: message.id, answer: (await answer(message.question as never, connection)) ?? null };
      peer.send?.(reply, undefined, {}, () => {});
    });
    // Node emits no `disconnect` for a child that died with a connection on its way.
    for (const event of ['disconnect', 'exit'])
      peer.once(event, () => {
        for (const id of [...this.waiting.keys()]) this.settle(id, 'lost');
      });
  }

  /** Asks the other side. A connection goes with the question, and stays open here too. */
  ask(question: Question, connection?: Socket): Promise<Reply> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.peer.send?.({ id, question }, connection, { keepOpen: true }, (error) => {
        if (error) this.settle(id, 'unsent');
      });
    });
  }

  private settle(id: number, reply: Reply): void {
    this.waiting.get(id)?.(reply);
    this.waiting.delete(id);
  }
}
