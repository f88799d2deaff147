import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from '@redis/client';
import { listen } from '#e2e/support/running.ts';
import { freePort } from '#e2e/support/service/service.ts';

const connectTo = (port: number) =>
  createClient({ url: `redis://127.0.0.1:${port}`, disableOfflineQueue: true, socket: { reconnectStrategy: 50 } });

/** Writes a false response in place of Upstash. */
export type Lie = (response: ServerResponse) => void;

const sha1 = (script: string) => createHash('sha1').update(script).digest('hex');

/** Starts a stand-in for Upstash with its own Redis. It counts, delays and replaces responses. */
export async function startUpstash() {
  const redisPort = await freePort();
  const args = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const client = connectTo(redisPort);
  client.on('error', () => {});
  await client.connect();
  const state = { asked: 0, lie: null as Lie | null };
  const { url, stop: stopRest } = await listen(startRest(client, state));
  const stop = () => {
    void stopRest();
    client.destroy();
    server.kill('SIGKILL');
  };
  const variables = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: 'a-token' };
  return { variables, state, server, client, stop };
}

export type Upstash = Awaited<ReturnType<typeof startUpstash>>;

// A request is a command as JSON, or several. Redis refuses the flags in the first line of a script.
function startRest(client: ReturnType<typeof connectTo>, state: { asked: number; lie: Lie | null }) {
  const scripts = new Map<string, string>();
  const run = async ([name = '', ...args]: string[]): Promise<unknown> => {
    if (name.toLowerCase() === 'evalsha' && scripts.has(args[0] ?? ''))
      return client.sendCommand(['EVAL', scripts.get(args[0] ?? '') ?? '', ...args.slice(1)]);
    if (name.toLowerCase() !== 'eval') return client.sendCommand([name, ...args]);
    const stripped = (args[0] ?? '').replace(/^#!.*\n/, '\n');
    scripts.set(sha1(args[0] ?? ''), stripped);
    return client.sendCommand(['EVAL', stripped, ...args.slice(1)]);
  };
  const answerOne = (command: unknown) =>
    run((command as unknown[]).map(String))
      .then((result) => ({ result }))
      .catch(({ message }: Error) => ({ error: message }));
  return createServer(async (request, response) => {
    state.asked++;
    const body = (await json(request)) as unknown[] | unknown[][];
    if (state.lie) return state.lie(response);
    const answer = request.url === '/pipeline' ? await Promise.all(body.map(answerOne)) : await answerOne(body);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
}
