/** The sounds that a person can choose for new notifications. The first one is the default. */
export const sounds = ['chime', 'kentongan', 'gamelan', 'drop', 'bell'] as const;
export type Sound = (typeof sounds)[number];
