/** How often a rule sends. */
export const rhythms = ['day', 'week', 'month'] as const;
/** One of `rhythms`. */
export type Rhythm = (typeof rhythms)[number];
