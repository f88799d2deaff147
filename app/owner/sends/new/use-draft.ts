'use client';

import { useRef, useState } from 'react';
import { makeDraftId } from '#app/owner/sends/new/draft-id.ts';
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

/**
 * A draft and the id under which it is sent. An unchanged draft that is submitted again, after a
 * double click or a lost response, keeps its id and is sent once. A changed draft gets a new id;
 * `renew` gives the same draft a new one, after it was undone. It begins as `given`, or empty.
 */
export function useDraft(recipient: PossibleRecipient | null, given?: FormDraft) {
  const [draft, setDraft] = useState<FormDraft>(
    given ?? {
      to: recipient ? 'one' : 'everyone',
      recipient,
      kind: 'info',
      title: '',
      body: '',
      url: '',
      mustConfirm: false,
    },
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
