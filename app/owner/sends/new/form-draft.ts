import type { DraftInput } from '#app/owner/sends/draft-input.ts';
import { useSentences } from '#app/ui/forms/sentences.ts';
import { draftLimits, maxAnswerLength } from '#server/notifications/field-rules.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

export const recipientKinds = ['everyone', 'one', 'roles', 'people'] as const;

/** The content of the form for a notification. Only the recipients that `to` names count. */
export type FormDraft = Omit<DraftInput, 'draftId' | 'recipientId' | 'people'> & {
  recipient: PossibleRecipient | null;
  people: PossibleRecipient[];
};

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
  picture: null,
  answers: [],
};

export const asDraftInput = ({ recipient, people, ...rest }: FormDraft, draftId: string): DraftInput => ({
  ...rest,
  recipientId: recipient?.id ?? null,
  people: people.map(({ id }) => id),
  draftId,
});

/** Makes the id of a draft. Browsers have no `crypto.randomUUID` on pages without TLS. */
export { v4 as makeDraftId } from 'uuid';

/** The sentences for the problems of the fields of a notification, and for those of its form's `section`. */
export const useDraftSentences = (section = 'compose') =>
  useSentences([section, 'compose'], { ...draftLimits, answer: maxAnswerLength });
