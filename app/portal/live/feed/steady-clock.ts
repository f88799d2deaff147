let total = 0;
let [readAt, readDate] = [performance.now(), Date.now()];

// `performance.now()` stands still in some browsers while the device sleeps.
/** A time (ms) for pauses: never goes back when the clock is changed; a clock set forward counts as a sleep. */
export function steadyNow(): number {
  const [at, date] = [performance.now(), Date.now()];
  total += Math.max(at - readAt, date - readDate);
  [readAt, readDate] = [at, date];
  return total;
}
