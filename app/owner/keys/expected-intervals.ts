/** The intervals, in minutes, at which a key can be expected to send: 15 min, 1 h, 6 h, 1 day, 1 week. */
export const expectedIntervals = [15, 60, 360, 1440, 10080] as const;
