import { readFile } from 'node:fs/promises';

/** The resident memory of a process, noted now and then; `said` tells it, `findGrowth` is what is wrong with it or null. */
export type Memory = { note: (requests: number) => Promise<void>; said: () => string; findGrowth: () => string | null };

const enoughNotes = 10;
// Before so many requests the heap may not have its size yet.
const settledAfter = 200_000;
const unsettledMegabytes = 150;
// What a garbage collector leaves lying between two notes.
const slackMegabytes = 40;

/**
 * Watches a process. Its heap grows to its working size at first and is flat then: the most in the last quarter of the notes may be
 * a tenth and 40 MB above the most in the second one, 150 MB in a run that is too short for that.
 */
export function watchMemory(pid: number): Memory {
  const notes: { requests: number; megabytes: number }[] = [];
  const mostIn = (quarter: number) => {
    const part = notes.slice(Math.floor((notes.length * quarter) / 4), Math.ceil((notes.length * (quarter + 1)) / 4));
    return Math.max(...part.map(({ megabytes }) => megabytes));
  };
  return {
    note: async (requests) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      notes.push({ requests, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 });
    },
    said: () =>
      notes
        .filter((_, at) => at % Math.ceil(notes.length / enoughNotes) === 0 || at === notes.length - 1)
        .map(({ requests, megabytes }) => `${megabytes.toFixed()} MB after ${requests}`)
        .join(', '),
    findGrowth: () => {
      if (notes.length < enoughNotes) return null;
      const [early, late] = [mostIn(1), mostIn(3)];
      const slack = (notes.at(-1)?.requests ?? 0) < settledAfter ? unsettledMegabytes : slackMegabytes;
      if (late <= 1.1 * early + slack) return null;
      return `memory grew from ${early.toFixed()} MB in the second quarter to ${late.toFixed()} MB in the last`;
    },
  };
}
