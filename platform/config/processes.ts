import { wholeNumber } from '#platform/config/checks.ts';

export const processSettings = {
  PROCESSES: wholeNumber(1, 12).default(1),
};

export function childEnv(changes: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

export function workerEnv(): NodeJS.ProcessEnv {
  return childEnv({ SERVICE_WORKER: 'yes' });
}

/** Whether the first process of the service started this one. */
export function isWorker(): boolean {
  return process.env.SERVICE_WORKER !== undefined;
}

/** Whether npm started this process, through a shell that does not forward signals. */
export function startedByNpm(): boolean {
  return ['start', 'dev', 'notif'].includes(process.env.npm_lifecycle_event ?? '');
}

// One value for the process. The bundle of the pages has a copy, which stays false.
let isStarting = false;

/** Whether this process has its port but does not serve yet: its database may not be ready. */
export const isServiceStarting = (): boolean => isStarting;

/** Marks the time from taking the port (true) until the service serves (false). */
export function setServiceStarting(value: boolean): void {
  isStarting = value;
}
