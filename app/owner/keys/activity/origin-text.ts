import { useTranslations } from 'next-intl';
import type { KeyCall } from '#server/keys/key-overview.ts';

/** Returns a function that describes the origin of a call: "from 203.0.113.7 · curl/8.5". */
export function useOriginText(): (call: Pick<KeyCall, 'address' | 'client'>) => string {
  const t = useTranslations('keys');
  return ({ address, client }) => (client ? t('fromClient', { address, client }) : t('from', { address }));
}
