/** The largest number of active keys of a company. */
export const maxActiveKeys = 50;

/** The longest name of a key, in characters. */
export const maxKeyNameLength = 60;

/** How many requests a key may make in one minute, all operations together (contract §4). */
export const requestsPerMinute = 60;
