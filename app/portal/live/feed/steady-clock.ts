let total = 0;
let [readAt, readDate] = [performance.now(), Date.now()];

/**
 * A time (ms) for pauses, which never goes back, whatever is done to the device's clock. It goes on while the device
 * sleeps, when `performance.now()` stands still in some browsers; a clock that is set forward counts as such a sleep.
 */
export function steadyNow(): number {
  const [at, date] = [performance.now(), Date.now()];
  total += Math.max(at - readAt, date - readDate);
  [readAt, readDate] = [at, date];
  return total;
}
