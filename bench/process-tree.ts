import { readdir, readFile } from 'node:fs/promises';

// Linux counts the CPU time of ended children in ticks of 10 ms, that of threads in ns (proc(5)).
const tickMs = 10;
const msPerNs = 1e-6;

type Process = { pid: number; parent: number; cpuMs: number };

/** The CPU time (ms) of a process and its descendants, ended ones too. 0 when the process does not exist. */
export async function cpuMsOfTree(root: number): Promise<number> {
  return (await listTree(root)).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** The memory (kB) of a process and its descendants. A page that several processes share counts once (PSS). */
export async function memoryKbOfTree(root: number): Promise<number> {
  let sum = 0;
  for (const { pid } of await listTree(root)) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    sum += Number(/^Pss: +(\d+) kB/m.exec(text)?.[1] ?? 0);
  }
  return sum;
}

async function listTree(root: number): Promise<Process[]> {
  const processes = await listProcesses();
  const tree = new Set([root]);
  // A child may come before its parent, because numbers of processes are used again.
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return processes.filter(({ pid }) => tree.has(pid));
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((one) => one !== null);
}

async function readProcess(pid: string): Promise<Process | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name before the last bracket may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [childrenUser = 0, childrenSystem = 0] = fields.slice(13, 15).map(Number);
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  const threadsNs = texts.reduce((sum, one) => sum + Number(one.split(' ')[0]), 0);
  const cpuMs = (childrenUser + childrenSystem) * tickMs + threadsNs * msPerNs;
  return { pid: Number(pid), parent: Number(fields[1]), cpuMs };
}
