/** States of a send: not read by all, not confirmed by all, withdrawn. */
export const sendStates = ['unread', 'unconfirmed', 'withdrawn'] as const;
export type SendState = (typeof sendStates)[number];

export const recipientStates = ['shown', 'notShown', 'read', 'unread', 'confirmed', 'unconfirmed'] as const;
export type RecipientState = (typeof recipientStates)[number];
