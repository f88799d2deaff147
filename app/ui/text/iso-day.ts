/** The day of a timestamp in a time zone, as `2026-11-21`. */
export const isoDayOf = (timestamp: Date, timeZone: string): string =>
  // The Swedish date format is ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(timestamp);
