import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execa, type Options } from 'execa';

/** Starts a program in a process group of its own. */
export function startProgram(command: string, args: string[], options: Options = {}) {
  const child = execa(command, args, { stdin: 'ignore', reject: false, buffer: false, detached: true, ...options });
  let printed = '';
  const looks = new Set<() => void>();
  const lookAll = () => {
    for (const look of looks) look();
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      lookAll();
    });
  child.once('close', lookAll);
  const isClosed = () => child.exitCode !== null || child.signalCode !== null;
  const killGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  return {
    process: child,
    output: () => printed,
    /** Resolves with the match once its output has it. Rejects with the output when the program ends first. */
    says: (words: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = words.exec(printed);
          if (found) resolve(found);
          else if (isClosed()) reject(new Error(`It ended without saying ${words}:\n${printed.slice(-4000)}`));
          else return;
          looks.delete(look);
        };
        looks.add(look);
        look();
      }),
    /** Ends it and its children: with SIGTERM first where `graceMs` is given, then with SIGKILL. */
    stop: async (graceMs = 0) => {
      if (graceMs === 0 || isClosed()) killGroup();
      else child.once('exit', killGroup).kill('SIGTERM');
      const late = setTimeout(killGroup, graceMs);
      await child;
      clearTimeout(late);
    },
  };
}

export type Running = ReturnType<typeof startProgram>;

/** Lists the process ids of a process's children; empty when it has ended. */
export function childrenOf(pid = 0): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function megabytesOf(pid = 0): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The memory of a Node process after a garbage collection, which may free 130 MB; its inspector listens there. */
export async function settledMemory(inspector: string): Promise<NodeJS.MemoryUsage> {
  const [target] = (await (await fetch(`http://${inspector}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  const call = async (method: string, params = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>];
    return JSON.parse(data).result;
  };
  await call('HeapProfiler.collectGarbage');
  const { result } = await call('Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true });
  socket.close();
  return result.value;
}

/** Calls `act` for all of them, eight at a time. */
export async function inBatches<One>(all: One[], act: (one: One) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += 8) await Promise.all(all.slice(from, from + 8).map(act));
}

/** A server, mostly in front of a service. `url` is where it listens. `stop` also closes hanging requests. */
export type Listening = { url: string; stop: () => Promise<void> };

/** Makes a server listen, by default on a free port. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
