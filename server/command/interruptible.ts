import { CommandError } from '#server/command/command.ts';

/**
 * Runs `work` with a signal that Ctrl-C, SIGTERM and a closed terminal abort. `work` removes what is
 * half written, then throws the signal's reason.
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const abort = () => stop.abort(new CommandError('interrupted', 'Interrupted. Nothing was left half done.'));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, abort);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}
