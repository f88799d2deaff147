/** How many rounds a fault test runs: `few` usually, `many` with `npm run faults`. */
export function rounds(few: number, many: number): number {
  return process.env.FAULTS === 'full' ? many : few;
}

/** The median of some values, their range, and how many there are. */
export type Summary = { value: number; min: number; max: number; rounds: number };

/** Summarises values; all fields but `rounds` are NaN when there are none. */
export function summarise(values: number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] ?? Number.NaN) + (sorted[Math.ceil(half)] ?? Number.NaN)) / 2;
  return { value: median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, rounds: values.length };
}

/** What 99 of 100 responses took at most, in ms. */
export const p99 = (answers: { ms: number }[]): number =>
  percentile(
    answers.map(({ ms }) => ms),
    0.99,
  );

/** Returns the percentile of some values (nearest rank); `share` is 0.99 for p99. NaN when there are none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length, Math.ceil(share * sorted.length)) - 1)] ?? Number.NaN;
}
