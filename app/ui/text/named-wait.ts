/** `waitSeconds` in ms, up to full minutes or hours, as a page names them. */
export function asNamedWait(waitSeconds: number): number {
  const unit = waitSeconds > 3600 ? 3_600_000 : 60_000;
  return Math.ceil((waitSeconds * 1000) / unit) * unit;
}
