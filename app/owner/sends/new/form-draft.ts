'use client';

import { useRef, useState } from 'react';
import type { DraftInput } from '#app/owner/sends/draft-input.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

/** Whom a form may name as recipients. */
export const recipientKinds = ['everyone', 'one', 'roles', 'people'] as const;

/** Whether a value of the form is one of `recipientKinds`. */
export const isRecipientKind = (value: string): value is FormDraft['to'] =>
  recipientKinds.some((kind) => kind === value);

/** The content of the form for a notification. Only the recipients that `to` names count. */
export type FormDraft = {
  to: (typeof recipientKinds)[number];
  recipient: PossibleRecipient | null;
  roles: string[];
  people: PossibleRecipient[];
  kind: Kind;
  title: string;
  body: string;
  url: string;
  mustConfirm: boolean;
};

/** What the form says, as actions take it. */
export const asDraftInput = ({ recipient, people, ...rest }: FormDraft, draftId: string): DraftInput => ({
  ...rest,
  recipientId: recipient?.id ?? null,
  people: people.map(({ id }) => id),
  draftId,
});

/**
 * A draft and the id under which it is sent. An unchanged draft that is submitted again, after a
 * double click or a lost response, keeps its id and is sent once. A changed draft gets a new id;
 * `renew` gives the same draft a new one, after it was undone. It begins as `given`.
 */
export function useDraft(given: FormDraft) {
  const [draft, setDraft] = useState(given);
  const submitted = useRef<{ draft: FormDraft; draftId: string }>(null);
  const idOf = (now: FormDraft): string => {
    if (submitted.current?.draft !== now) submitted.current = { draft: now, draftId: makeDraftId() };
    return submitted.current.draftId;
  };
  const renew = () => {
    submitted.current = null;
  };
  return { draft, renew, change: (changes: Partial<FormDraft>) => setDraft((now) => ({ ...now, ...changes })), idOf };
}

/** Makes the id of a draft: a random UUID. Browsers have no `randomUUID` on pages without TLS. */
export function makeDraftId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
