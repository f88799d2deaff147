/** How often a rule sends. */
export const recurrences = ['day', 'week', 'month'] as const;
/** One of `recurrences`. */
export type Recurrence = (typeof recurrences)[number];
