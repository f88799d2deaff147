/** Within how many minutes a send can be expected again: 15 minutes, an hour, 6 hours, a day, a week. */
export const expectations = [15, 60, 360, 1440, 10080] as const;
