'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { startTransition } from 'react';

/**
 * In place of a page that could not be loaded: that nothing changed, how to try again, and what to
 * tell whoever runs the service. Every page carries it, so it is made of plain elements.
 */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('app');
  const router = useRouter();
  const retry = () => {
    // A part of the page that could not be fetched is only asked for again by a page that is new.
    if (error.name === 'ChunkLoadError') return location.reload();
    // `reset` alone would draw the same failed answer again.
    startTransition(() => {
      router.refresh();
      reset();
    });
  };
  return (
    <div role="alert" className="page-error">
      <h1>{t('errorTitle')}</h1>
      <p>{t('errorText')}</p>
      {error.digest && <p className="fine-print">{t('errorReference', { digest: error.digest })}</p>}
      <button type="button" className="plain-button" onClick={retry}>
        {t('retry')}
      </button>
    </div>
  );
}
