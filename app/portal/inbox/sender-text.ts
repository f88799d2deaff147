import type { SenderId } from '#server/inbox/inbox.ts';

/** Writes a sender for an address: `k` and the id of a key, or `p` and the id of a person. */
export const asSenderText = (sender: SenderId): string =>
  'keyId' in sender ? `k${sender.keyId}` : `p${sender.accountId}`;

/** Reads what `asSenderText` wrote. Throws on everything else. */
export function asSender(text: string): SenderId {
  const [, who, id] = /^([kp])([1-9]\d{0,8})$/.exec(text) ?? [];
  if (!id) throw new Error('no sender');
  return who === 'k' ? { keyId: Number(id) } : { accountId: Number(id) };
}
