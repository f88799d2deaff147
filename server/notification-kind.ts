/** The kinds of notification. A kind selects the icon and nothing else. */
export const kinds = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'] as const;
/** One of the six kinds. */
export type Kind = (typeof kinds)[number];

const known: ReadonlySet<unknown> = new Set(kinds);

/** The kind a value names; anything else, of any type, is `info` (contract §6). */
export function asKind(value: unknown): Kind {
  return known.has(value) ? (value as Kind) : 'info';
}
