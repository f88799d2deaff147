// How far the service's clock is ahead of this device's, and the service's time that told it (ms).
let aheadMs = 0;
let toldAt = 0;

/** Takes over the service's time (ms since 1970) from an answer that just arrived. Ignores a time before the last. */
export function noteServiceTime(at: number): void {
  if (at <= toldAt) return;
  toldAt = at;
  aheadMs = at - Date.now();
}

/** The time by the service's clock, to compare its times with: the clock of a device may be hours wrong. */
export const serviceNow = (): Date => new Date(Date.now() + aheadMs);

export const dayMs = 24 * 60 * 60 * 1000;

/** The day of a timestamp in a time zone, as `2026-11-21`. */
export const isoDayOf = (timestamp: Date, timeZone: string): string =>
  // The Swedish date format is ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(timestamp);

/** `waitSeconds` in ms, rounded up to full minutes, above one hour to full hours, as a page names them. */
export function asNamedWait(waitSeconds: number): number {
  const unit = waitSeconds > 3600 ? 3_600_000 : 60_000;
  return Math.ceil((waitSeconds * 1000) / unit) * unit;
}
