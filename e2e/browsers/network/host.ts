import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Runs in a network namespace at the far end of a cable. Commands on standard input drop packets silently.

const near = '10.99.0.1';
const far = '10.99.0.2';

function run(line: string): number | null {
  const [program = '', ...args] = line.split(' ');
  return spawnSync(program, args, { stdio: 'ignore' }).status;
}

/** Passes connections on. A socket in a folder leads from one network namespace to another. */
export function relay(from: ListenOptions, to: NetConnectOpts, opened: Set<Socket> = new Set()): Server {
  return createServer((incoming) => {
    const outgoing = connect(to);
    incoming.pipe(outgoing).pipe(incoming);
    opened.add(incoming);
    const end = () => {
      opened.delete(incoming);
      for (const socket of [incoming, outgoing]) socket.destroy();
    };
    for (const socket of [incoming, outgoing]) socket.on('error', () => {}).on('close', end);
  }).listen(from);
}

// Moves the kernel's first rule, for own addresses, behind those that drop packets.
function prepareRules(ip: string): void {
  run(`${ip} link set lo up`);
  run(`${ip} rule add pref 100 lookup local`);
  run(`${ip} rule del pref 0`);
}

function beFar([folder = '', name = '', port = '', drivePort = '']: string[]): void {
  writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${far} ${name}\n`);
  const args = ['--net', '--mount', process.execPath, import.meta.filename, 'near', folder, drivePort];
  const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.once('exit', () => process.exit());
  holder.stdout.once('data', (printed) => {
    const pid = String(printed).trim();
    const ipOfNear = `nsenter --target ${pid} --net ip`;
    const [nearMac, farMac] = ['02:00:00:00:00:01', '02:00:00:00:00:02'];
    run(`ip link add name far address ${farMac} type veth peer name near address ${nearMac} netns ${pid}`);
    for (const [ip, device, own, other, otherMac] of [
      ['ip', 'far', far, near, nearMac],
      [ipOfNear, 'near', near, far, farMac],
    ] as const) {
      prepareRules(ip);
      run(`${ip} address add ${own}/24 dev ${device}`);
      // A browser ends its requests when the network changes, as with the IPv6 address that the kernel adds later.
      run(`${ip} link set ${device} addrgenmode none up`);
      // A fixed neighbour: otherwise a sender would notice that ARP gets no answer.
      run(`${ip} neigh add ${other} lladdr ${otherMac} dev ${device} nud permanent`);
    }
    const opened = new Set<Socket>();
    relay({ host: far, port: Number(port) }, { path: join(folder, 'service') }, opened);
    const rule = (verb: string, which: string) => {
      const results = [
        run(`ip rule ${verb} pref 1 iif far ${which}`),
        run(`${ipOfNear} rule ${verb} pref 1 iif near ${which.replace('sport', 'dport')}`),
      ];
      return results.includes(0);
    };
    const rules: string[] = [];
    const add = (which: string) => {
      if (rule('add', which)) rules.push(which);
    };
    const commands: Record<string, () => void> = {
      drop: () => add('blackhole'),
      forget: () => {
        for (const { remotePort } of opened) add(`ipproto tcp sport ${remotePort} blackhole`);
      },
      restore: () => {
        for (const which of rules.splice(0)) rule('del', which);
      },
      count: () => {},
    };
    createInterface({ input: process.stdin })
      .on('line', (command) => {
        commands[command]?.();
        process.stdout.write(`${command} ${opened.size}\n`);
      })
      .once('close', () => process.exit());
    process.stdout.write(`${pid}\n`);
  });
}

// Holds the namespace of the browser. The driver reaches the browser's debugging port through a socket in the folder.
function beNear([folder = '', drivePort = '']: string[]): void {
  run(`mount --bind ${join(folder, 'hosts')} /etc/hosts`);
  relay({ path: join(folder, 'drive') }, { host: '127.0.0.1', port: Number(drivePort) });
  process.stdin.resume().once('end', () => process.exit());
  process.stdout.write(`${process.pid}\n`);
}

if (import.meta.main) {
  const [end, ...rest] = process.argv.slice(2);
  if (end === 'near') beNear(rest);
  else beFar(rest);
}
