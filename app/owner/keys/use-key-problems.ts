import { useTranslations } from 'next-intl';
import { maxActiveKeys } from '#server/keys/limits.ts';

/** The sentences for the refusals of creating, replacing and changing a key. */
export function useKeyProblems(): Record<string, string> {
  const t = useTranslations('keys');
  return {
    nameTaken: t('nameTaken'),
    tooMany: t('tooMany', { limit: maxActiveKeys }),
    gone: t('gone'),
    alreadyReplaced: t('alreadyReplaced'),
    dayIsPast: t('dayIsPast'),
  };
}
