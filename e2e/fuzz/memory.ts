import { readFile } from 'node:fs/promises';

/** Memory of a process: `describe` lists samples, `findGrowth` returns a problem or null. */
export type Memory = {
  note: (requests: number) => Promise<void>;
  describe: () => string;
  findGrowth: () => string | null;
};

const enoughNotes = 10;
// The heap grows to its working size, about 800 MB, during the first 100,000 requests.
const settledAfter = 200_000;
const unsettledMegabytes = 300;
// Garbage that was not collected yet between two samples.
const slackMegabytes = 40;

/**
 * Watches the memory of a process, which must stay flat after the first quarter of a run. The
 * maximum of the last quarter may be 10 % and 40 MB above that of the second one; in a short run
 * 300 MB.
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
    describe: () =>
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
