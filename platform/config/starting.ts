// One value for the process. The bundle of the pages has a copy, which stays false.
let isStarting = false;

/** Whether this process has its port but does not serve yet: its database may not be ready. */
export const isServiceStarting = (): boolean => isStarting;

/** Marks the time from taking the port (true) until the service serves (false). */
export function setServiceStarting(value: boolean): void {
  isStarting = value;
}
