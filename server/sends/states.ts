/** What a send may still wait for: that all have read it, or confirmed it; or that it was withdrawn. */
export const sendStates = ['unread', 'unconfirmed', 'withdrawn'] as const;
/** One of `sendStates`. */
export type SendState = (typeof sendStates)[number];

/** Parts of the people of a send. */
export const recipientStates = ['shown', 'notShown', 'read', 'unread', 'confirmed', 'unconfirmed'] as const;
/** One of `recipientStates`. */
export type RecipientState = (typeof recipientStates)[number];
