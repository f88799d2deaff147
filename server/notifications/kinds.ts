/** The kinds of notification. A kind selects the icon and nothing else. */
export const kinds = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'] as const;
/** One of the six kinds. */
export type Kind = (typeof kinds)[number];

/** The kinds that are about money of one's own: their text can be hidden until it is asked for. */
export const privateKinds: readonly Kind[] = ['kasbon', 'gaji', 'bonus'];

const known: ReadonlySet<unknown> = new Set(kinds);

/** The kind a value names; anything else, of any type, is `info` (contract §6). */
export function asKind(value: unknown): Kind {
  return known.has(value) ? (value as Kind) : 'info';
}
