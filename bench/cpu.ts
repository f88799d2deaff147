import { readdir, readFile } from 'node:fs/promises';

/** The CPU time (ms) that the threads of a process have used (proc(5): in ns). */
export async function cpuMsOf(pid = 0): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const files = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0'));
  return (await Promise.all(files)).reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
}
