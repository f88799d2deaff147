import { type ChildProcess, spawn } from 'node:child_process';

/** A program that runs beside a test. */
export type Running = {
  process: ChildProcess;
  /** What it printed so far. */
  output: () => string;
  /** Asks it to end, kills it and its children after 3 s, and waits for its end. */
  stop: () => Promise<void>;
};

const graceMs = 3000;

/**
 * Starts a program in a process group of its own. `variables` are added to the environment.
 * `extraPipe` reads what the program writes to its file descriptor 3. The kernel kills the program
 * when the test's process ends without stopping it.
 */
export function startProgram(
  command: string,
  args: string[],
  variables: Record<string, string> = {},
  extraPipe?: (part: string) => void,
): Running {
  // Settings of the test run (a loader, colours) are not for browsers.
  const { NODE_OPTIONS: _options, DISPLAY: _display, DBUS_SESSION_BUS_ADDRESS: _bus, ...inherited } = process.env;
  const child = spawn('setpriv', ['--pdeathsig', 'SIGKILL', '--', command, ...args], {
    env: { ...inherited, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  const extra = child.stdio[3];
  if (extra && 'setEncoding' in extra) extra.setEncoding('utf8').on('data', (part: string) => extraPipe?.(part));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const killGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  return {
    process: child,
    output: () => printed,
    stop: async () => {
      const late = setTimeout(killGroup, graceMs);
      child.kill('SIGTERM');
      child.once('exit', killGroup);
      if (child.exitCode !== null || child.signalCode !== null) killGroup();
      await closed;
      clearTimeout(late);
    },
  };
}

/** Waits until the output of a program matches, and returns the match. Throws at its end. */
export async function waitForOutput(running: Running, wanted: RegExp): Promise<RegExpExecArray> {
  const found = wanted.exec(running.output());
  if (found) return found;
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = wanted.exec(running.output());
      if (match) resolve(match);
    };
    running.process.stdout?.on('data', look);
    running.process.stderr?.on('data', look);
    running.process.once('close', () => reject(new Error(`It ended before it was ready:\n${running.output()}`)));
  });
}
