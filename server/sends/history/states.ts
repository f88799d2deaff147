/** States of a send: not read by all, not confirmed by all, withdrawn. */
export const sendStates = ['unread', 'unconfirmed', 'withdrawn'] as const;
export type SendState = (typeof sendStates)[number];

/** States of a recipient of a send. */
export const recipientStates = ['shown', 'notShown', 'read', 'unread', 'confirmed', 'unconfirmed'] as const;
/** One of `recipientStates`. */
export type RecipientState = (typeof recipientStates)[number];
