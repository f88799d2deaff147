/** States of a send: not read by all, not confirmed by all, withdrawn. */
export const sendStates = ['unread', 'unconfirmed', 'withdrawn'] as const;
export type SendState = (typeof sendStates)[number];

/** States of who gave the first answer, the second, and so on. */
export const answerStates = ['answer1', 'answer2', 'answer3', 'answer4'] as const;

/** States of a recipient. `beforeCorrection`: confirmed the text before the last correction. */
export const recipientStates = [
  'shown',
  'notShown',
  'read',
  'unread',
  'confirmed',
  'unconfirmed',
  'beforeCorrection',
  ...answerStates,
] as const;
export type RecipientState = (typeof recipientStates)[number];
