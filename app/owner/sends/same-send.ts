import type { Send } from '#server/sends/list.ts';

/**
 * What two sends must share to be repeats of each other: title, kind, sender, and whether they were
 * withdrawn, remind, or must be confirmed. Their recipients may differ. For `groupRepeats`.
 */
export const sameSend = ({ title, kind, keyId, sender, withdrawnAt, remindsNo, mustConfirm }: Send): string =>
  JSON.stringify([title, kind, keyId, sender, withdrawnAt !== null, remindsNo !== null, mustConfirm]);
