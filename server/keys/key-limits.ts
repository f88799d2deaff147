export const maxActiveKeys = 50;

export const maxKeyNameLength = 60;

/** How many requests a key may make in one minute, all operations together (contract §4). */
export const requestsPerMinute = 60;

/** The intervals at which a key can be expected to send, in minutes: 15 minutes to a week. */
export const expectedIntervals = [15, 60, 360, 1440, 10080] as const;
