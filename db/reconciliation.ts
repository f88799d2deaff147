import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { log } from '#platform/log/log.ts';

/** Work that each process repeats. `run` joins a run under way and never rejects; `stop` waits for it. */
export function makeReconciliation(everyMs: number, work: () => Promise<unknown>, failure: string) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const runOnce = async () => {
    try {
      await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log().warn({ err: error }, failure);
    } finally {
      running = undefined;
    }
  };
  const run = (): Promise<void> => (running ??= runOnce());
  const start = (): void => {
    timer ??= setInterval(run, everyMs).unref();
  };
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    timer = undefined;
    await running;
  };
  return { run, start, stop };
}
