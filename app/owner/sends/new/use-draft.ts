'use client';

import { useRef, useState } from 'react';
import type { DraftInput } from '#app/owner/sends/draft-input.ts';
import { makeDraftId } from '#app/owner/sends/new/draft-id.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { PossibleRecipient } from '#server/sends/possible-recipients.ts';

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

/** The form before anybody wrote anything. */
export const emptyDraft: FormDraft = {
  to: 'everyone',
  recipient: null,
  roles: [],
  people: [],
  kind: 'info',
  title: '',
  body: '',
  url: '',
  mustConfirm: false,
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
 * `renew` gives the same draft a new one, after it was undone. It begins as `given`, or empty.
 */
export function useDraft(recipient: PossibleRecipient | null, given?: FormDraft) {
  const [draft, setDraft] = useState<FormDraft>(
    given ?? { ...emptyDraft, to: recipient ? 'one' : 'everyone', recipient },
  );
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
