export const recurrences = ['day', 'week', 'month'] as const;
export type Recurrence = (typeof recurrences)[number];
