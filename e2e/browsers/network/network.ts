import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { relay } from '#e2e/browsers/network/host.ts';
import { freePort, root } from '#e2e/support/service/service.ts';

/** Starts a network that leads to `name` at this port. Needs `unshare`, `ip` and `nsenter`. */
export async function startNetwork(name: string, port: number, http2 = true) {
  const folder = await mkdtemp(join(tmpdir(), 'notif-network-'));
  const drivePort = await freePort();
  const servers = [
    relay({ path: join(folder, 'service') }, { host: '127.0.0.1', port }),
    relay({ host: '127.0.0.1', port: drivePort }, { path: join(folder, 'drive') }),
  ];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const isRoot = process.getuid?.() === 0;
  const host = join(root, 'e2e', 'browsers', 'network', 'host.ts');
  const command = [process.execPath, host, 'far', folder, name, String(port), String(drivePort)];
  const args = [...(isRoot ? [] : ['--map-root-user']), '--net', '--fork', '--kill-child', ...command];
  const child = spawn('unshare', args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const pid = String((await lines.next()).value);
  const namespaces = ['--net', '--mount', ...(isRoot ? [] : ['--user', '--preserve-credentials'])];
  return {
    enter: ['nsenter', '--target', pid, ...namespaces, '--'],
    drivePort,
    http2,
    /** Loses all packets, those of the connections that are open now, or none. Returns how many are open. */
    change: async (weather: 'drop' | 'forget' | 'restore' | 'count') => {
      child.stdin.write(`${weather}\n`);
      const [, count] = String((await lines.next()).value).split(' ');
      return Number(count);
    },
    stop: async () => {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      for (const server of servers) server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A network to one port of this machine whose packets a test can lose. `enter` begins a command at its other end. */
export type Network = Awaited<ReturnType<typeof startNetwork>>;
