'use client';

import { useRef, useState } from 'react';
import type { Kind } from '#server/notifications/kinds.ts';
import type { PossibleRecipient } from '#server/sends/possible-recipients.ts';

/** The content of the form for a notification. */
export type FormDraft = {
  to: 'everyone' | 'one';
  recipient: PossibleRecipient | null;
  kind: Kind;
  title: string;
  body: string;
  url: string;
  mustConfirm: boolean;
};

// Browsers have no `randomUUID` on pages without TLS.
function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * A draft and the id under which it is sent. An unchanged draft that is submitted again, after a
 * double click or a lost response, keeps its id and is sent once. A changed draft gets a new id.
 */
export function useDraft(recipient: PossibleRecipient | null) {
  const [draft, setDraft] = useState<FormDraft>({
    to: recipient ? 'one' : 'everyone',
    recipient,
    kind: 'info',
    title: '',
    body: '',
    url: '',
    mustConfirm: false,
  });
  const submitted = useRef<{ draft: FormDraft; draftId: string }>(null);
  const idOf = (now: FormDraft): string => {
    if (submitted.current?.draft !== now) submitted.current = { draft: now, draftId: makeId() };
    return submitted.current.draftId;
  };
  return { draft, change: (changes: Partial<FormDraft>) => setDraft((now) => ({ ...now, ...changes })), idOf };
}
