import { spawn } from 'node:child_process';
import { nodeFirst } from '#e2e/workflows/installed.ts';

/** A running program. */
export type Program = {
  /** Resolves with the match when its output has it; rejects with its output when it ends first. */
  says: (words: RegExp) => Promise<RegExpExecArray>;
  output: () => string;
  stop: () => Promise<void>;
};

/** Starts `node …args` in a folder, with these variables and nothing else but PATH. */
export function startProgram(args: string[], folder: string, variables: Record<string, string> = {}): Program {
  const env = { ...variables, PATH: nodeFirst, HOME: folder } as unknown as NodeJS.ProcessEnv;
  // n8n has children of its own, so the whole group is ended.
  const child = spawn(process.execPath, args, { cwd: folder, env, detached: true });
  let printed = '';
  let isClosed = false;
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      for (const look of waiting) look();
    });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      isClosed = true;
      for (const look of waiting) look();
      resolve();
    }),
  );
  return {
    says: (words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = words.exec(printed);
          if (!found && !isClosed) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`It ended without saying ${words}:\n${printed.slice(-4000)}`));
        };
        waiting.add(look);
        look();
      }),
    output: () => printed,
    stop: async () => {
      if (!isClosed && child.pid) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
