import type { Idle } from '#server/front/connections.ts';

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

  get hasBegun(): boolean {
    return this.running !== undefined;
  }

  /** Runs all steps once, then exits; after 9.5 s with 1. Failed steps are printed. */
  run(exitCode: number, idle: Idle): Promise<void> {
    this.running ??= this.runSteps(exitCode, idle);
    return this.running;
  }

  /** Runs when the parent ends: npm's shell dies of a signal and does not pass it on. */
  runWithParent(): void {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && void this.run(0, 'left'), 250).unref();
  }

  private async runSteps(exitCode: number, idle: Idle): Promise<void> {
    setTimeout(() => process.exit(1), maxStopMs).unref();
    for (const step of [() => this.stopServing(idle), ...this.steps])
      await step().catch((error: unknown) => console.error(error));
    process.exit(exitCode);
  }
}
