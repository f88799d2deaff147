/** The kinds of notification. A kind selects the icon and nothing else. */
export const kinds = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'] as const;
export type Kind = (typeof kinds)[number];

/** The kinds about a person's own money. People can hide the text of these until they open it. */
export const privateKinds: readonly Kind[] = ['kasbon', 'gaji', 'bonus'];

/** Converts a value of any type to a kind; every unknown value is `info` (contract §6). */
export const asKind = (value: unknown): Kind => kinds.find((kind) => kind === value) ?? 'info';

/** The sounds that a person can choose for new notifications. The first one is the default. */
export const sounds = ['chime', 'kentongan', 'gamelan', 'drop', 'bell'] as const;
export type Sound = (typeof sounds)[number];
