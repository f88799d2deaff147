// How far the service's clock is ahead of this device's, and the service's time that told it (ms).
let aheadMs = 0;
let toldAt = 0;

/** Takes over the service's time (ms since 1970), which has just come. Ignores one from before the last. */
export function noteServiceTime(at: number): void {
  if (at <= toldAt) return;
  toldAt = at;
  aheadMs = at - Date.now();
}

/** The time by the service's clock, to compare its times with: the clock of a device may be hours wrong. */
export const serviceNow = (): Date => new Date(Date.now() + aheadMs);
