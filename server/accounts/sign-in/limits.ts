/** The largest body of a request to `/api/auth/`, in bytes. */
export const maxSignInBodyBytes = 16 * 1024;

/** A rejected sign-in takes at least this long, in milliseconds, whatever the reason. */
export const minRejectionMs = 400;

/** Failures of one name from one address, or of one known browser, before it must wait. */
export const maxFailures = 10;

/** How long failures are counted together, in minutes. */
export const failureWindowMinutes = 15;

/**
 * Failures from one address over all names. An office of 500 people has about 50 at 8 o'clock: one
 * in twenty mistypes, some of them twice.
 */
export const maxFailuresPerAddress = 300;

/**
 * Failures of one name over all addresses, with less than a window between them. After that, each
 * attempt makes the next one wait longer: 1, 2, 4 … seconds.
 */
export const maxFailuresPerName = 20;

/** The longest wait between two attempts at one name, in seconds. */
export const maxNameDelaySeconds = 60;

/** When to try again after the service was too busy to check a password, in seconds. */
export const busySeconds = 3;

/** Attempts an hour to create a company (per address) or to choose a username (per invitation). */
export const maxNamesPerHour = 10;

/** New companies from one address an hour, where everyone may sign up. */
export const maxCompaniesPerHour = 3;

/**
 * Requests to join from one address an hour. All people of a warehouse scan one poster, and their
 * phones share the address of its network.
 */
export const maxJoinsPerAddressHour = 60;

/** Requests to join with one link an hour, from all addresses. */
export const maxJoinsPerLinkHour = 120;
