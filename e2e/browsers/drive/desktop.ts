import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Running, startProgram } from '#e2e/support/running.ts';

const sampleRate = 8000;
// Silence is exactly 0; the quietest chime is louder than this.
const threshold = 100;
// Two chimes are at least 1 s apart. Counted in samples: a busy machine reads them late and at once.
const pauseSamples = 0.5 * sampleRate;

/** Starts a program of a desktop, which the kernel kills when the test's process ends. */
export function startOnDesktop(command: string[], variables: Record<string, string>): Running {
  const cleared = { NODE_OPTIONS: undefined, DISPLAY: undefined, DBUS_SESSION_BUS_ADDRESS: undefined };
  const bound = ['--pdeathsig', 'SIGKILL', '--', ...command];
  const running = startProgram('setpriv', bound, { env: { ...cleared, ...variables } });
  return { ...running, stop: () => running.stop(3000) };
}

/** Starts Xvfb, openbox (to minimise windows) and PulseAudio, which plays into a pipe that is read here. */
export async function startDesktop() {
  const folder = await mkdtemp(join(tmpdir(), 'notif-desktop-'));
  // XDG_RUNTIME_DIR and HOME keep browsers away from the profile and sockets of the person who runs the tests.
  const own = { HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: join(folder, '.config') };
  const started: Running[] = [];
  const stop = async () => {
    for (const running of started.reverse()) await running.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const args = ['-displayfd', '2', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
    const screen = startOnDesktop(['Xvfb', ...args], own);
    started.push(screen);
    const [, display] = await screen.says(/^(\d+)\n/m);
    const variables = {
      ...own,
      DISPLAY: `:${display}`,
      PULSE_SERVER: `unix:${join(folder, 'speaker')}`,
      // The desktop has no accessibility bus, and no browser is to wait for one.
      NO_AT_BRIDGE: '1',
      // There is no graphics card.
      LIBGL_ALWAYS_SOFTWARE: '1',
      LANG: 'C.UTF-8',
    };
    started.push(startOnDesktop(['openbox'], variables));
    const speaker = startOnDesktop(
      [
        'pulseaudio',
        ...['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disable-shm', '--log-level=error'],
        `--load=module-native-protocol-unix socket=${join(folder, 'speaker')} auth-anonymous=1`,
        `--load=module-pipe-sink file=${join(folder, 'sound')} rate=${sampleRate} channels=1 format=s16le use_system_clock_for_timing=yes`,
      ],
      own,
    );
    started.push(speaker);
    const rings = await listenTo(join(folder, 'sound'), speaker);
    return { folder, variables, rings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A screen without a monitor, with a window manager and a loudspeaker that a test listens to. */
export type Desktop = Awaited<ReturnType<typeof startDesktop>>;

// Opening the pipe waits for PulseAudio, which makes it. Returns when each ring began to sound (`performance.now()`).
async function listenTo(pipe: string, speaker: Running): Promise<() => number[]> {
  const began: number[] = [];
  let silentSamples = Number.POSITIVE_INFINITY;
  let half: Buffer = Buffer.alloc(0);
  const take = (part: Buffer) => {
    const bytes = half.length > 0 ? Buffer.concat([half, part]) : part;
    const even = bytes.length - (bytes.length % 2);
    half = bytes.subarray(even);
    const samples = new Int16Array(new Uint8Array(bytes.subarray(0, even)).buffer);
    for (const sample of samples) {
      if (Math.abs(sample) <= threshold) {
        silentSamples += 1;
        continue;
      }
      if (silentSamples > pauseSamples) began.push(performance.now());
      silentSamples = 0;
    }
  };
  while (!existsSync(pipe)) {
    if (speaker.process.exitCode !== null) throw new Error(`PulseAudio did not start: ${speaker.output()}`);
    await setTimeout(20);
  }
  createReadStream(pipe, { highWaterMark: 4096 })
    .on('data', (part) => take(part as Buffer))
    .on('error', () => {});
  return () => began;
}
