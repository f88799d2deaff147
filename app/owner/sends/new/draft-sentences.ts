import { useTranslations } from 'next-intl';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** The problems of the fields of a notification, each a text of `compose`. */
const fieldProblems = [
  ...([
    'titleBlank',
    'titleLong',
    'bodyBlank',
    'bodyLong',
    'linkInternal',
    'linkNowhere',
    'linkLong',
    'forbidden',
  ] as const),
  ...(['personMissing', 'gone', 'rolesMissing', 'rolesGone', 'peopleMissing', 'peopleGone', 'pictureGone'] as const),
];

/** Returns the sentences for the problems of the fields, for `useAction`. */
export function useDraftSentences(): Record<string, string> {
  const t = useTranslations('compose');
  return Object.fromEntries(fieldProblems.map((name) => [name, t(name, draftLimits)]));
}
