/** The largest number of active keys of a company. */
export const maxActiveKeys = 50;

/** The longest name of a key, in characters. */
export const maxKeyNameLength = 60;
