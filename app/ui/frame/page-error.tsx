import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { startTransition, useLayoutEffect } from 'react';

/**
 * Replaces a page that failed to load. It says that nothing changed, offers a retry, and shows the
 * reference for the operator. Every page carries it, so it uses plain elements only. A page in which
 * another program, such as a browser's translation, moved elements is rendered anew at once.
 */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('app');
  const router = useRouter();
  const retry = () => {
    // React does not fetch a failed chunk again without a new page.
    if (error.name === 'ChunkLoadError') return location.reload();
    // `reset` alone would render the same failed response again.
    startTransition(() => {
      router.refresh();
      reset();
    });
  };
  const isDisturbed = error.name === 'NotFoundError';
  useLayoutEffect(() => {
    if (isDisturbed) reset();
  }, [isDisturbed, reset]);
  if (isDisturbed) return null;
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
