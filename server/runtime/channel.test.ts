import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { Channel } from '#server/runtime/channel.ts';

type Question = { double?: number };

const child = fork('-', {
  execArgv: [
    ...['--input-type=module', '--eval'],
    `import { Channel } from '#server/runtime/channel.ts';
    new Channel(process, ({ double }, connection) => connection ? void connection.end('here') : 2 * double);`,
  ],
});
const channel = new Channel<Question>(child, () => null);
afterAll(() => child.kill('SIGKILL'));

async function acceptOne(): Promise<{ client: Socket; connection: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const [connection] = (await once(server, 'connection')) as [Socket];
  server.close();
  return { client, connection };
}

test('questions are answered, and a connection goes with one; with a dead process all are settled', async () => {
  const answers = await Promise.all([1, 2, 3].map((double) => channel.ask({ double })));
  expect(answers).toEqual([{ answer: 2 }, { answer: 4 }, { answer: 6 }]);
  const first = await acceptOne();
  expect(await channel.ask({}, first.connection)).toEqual({ answer: null });
  first.connection.destroy();
  expect(String((await once(first.client, 'data'))[0])).toBe('here');

  const others = await Promise.all([acceptOne(), acceptOne()]);
  child.kill('SIGKILL');
  const replies = await Promise.all(others.map(({ connection }) => channel.ask({}, connection)));
  expect(replies.filter((reply) => reply !== 'lost' && reply !== 'unsent')).toEqual([]);
  expect(await channel.ask({ double: 1 })).toBe('unsent');
  for (const { connection, client } of others) {
    connection.destroy();
    client.destroy();
  }
});
