/** The intervals at which a key can be expected to send, in minutes: 15 minutes to a week. */
export const expectedIntervals = [15, 60, 360, 1440, 10080] as const;
