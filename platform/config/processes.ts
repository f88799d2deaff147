export const childEnv = (changes: NodeJS.Dict<string> = {}): NodeJS.ProcessEnv => ({ ...process.env, ...changes });

/** Whether npm started this process, through a shell that does not forward signals. */
export const startedByNpm = (): boolean => ['start', 'dev', 'notif'].includes(process.env.npm_lifecycle_event ?? '');

// One value for the process. The bundle of the pages has a copy, which stays false.
let isStarting = false;

/** Whether this process has its port but does not serve yet: its database may not be ready. */
export const isServiceStarting = (): boolean => isStarting;

/** Marks the time from taking the port (true) until the service serves (false). */
export function setServiceStarting(value: boolean): void {
  isStarting = value;
}

/** Turns off the log, which would mix with a command's output. Call it before the first `env`. */
export function silenceLog(): void {
  process.env.LOG_LEVEL = 'silent';
}

/** The name of the command line: `notif`, or `npm run notif --` from source. */
export const programName = (): string => (process.env.npm_lifecycle_event ? 'npm run notif --' : 'notif');
