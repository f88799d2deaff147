import { startedByNpm } from '#platform/config/processes.ts';
import type { Idle } from '#server/front/connections.ts';
import { explainStart } from '#server/runtime/start-error.ts';

const maxStopMs = 9500;

/** Stops the HTTP service, then everything else in the reverse order of its start. */
export class Shutdown {
  private stopServing: (idle: Idle) => Promise<void> = async () => {};
  private readonly steps: (() => Promise<unknown>)[] = [];
  private running: Promise<void> | undefined;

  setServing(stopServing: (idle: Idle) => Promise<void>): void {
    this.stopServing = stopServing;
  }

  /** Registers a step that undoes what was just started. */
  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }

  /** Runs all steps once, then exits; after 9.5 s with 1. Failed steps are printed. */
  run(exitCode: number, idle: Idle): Promise<void> {
    this.running ??= this.runSteps(exitCode, idle);
    return this.running;
  }

  /** Begins to `start`, and stops when that fails, at a signal, and when npm ends. */
  begin(start: () => Promise<void>): void {
    const parent = process.ppid;
    // npm's shell dies of a signal and does not pass it on.
    if (startedByNpm()) setInterval(() => process.ppid !== parent && void this.run(0, 'left'), 250).unref();
    process.on('SIGTERM', () => void this.run(0, 'left'));
    // A person waits at the terminal, or has closed it, so idle connections are closed at once.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void this.run(0, 'ended'));
    start().catch(async (error: unknown) => {
      // Once the service serves, the log takes what `console` prints.
      process.stderr.write(`${explainStart(error)}\n`);
      await this.run(1, 'ended');
    });
  }

  private async runSteps(exitCode: number, idle: Idle): Promise<void> {
    setTimeout(() => process.exit(1), maxStopMs).unref();
    for (const step of [() => this.stopServing(idle), ...this.steps])
      await step().catch((error: unknown) => console.error(error));
    process.exit(exitCode);
  }
}
