import { getTranslations } from 'next-intl/server';

/**
 * A notice that only browsers older than those of package.json show. It needs no script, because an
 * old browser may not run any.
 */
export async function OldBrowserNotice() {
  const t = await getTranslations('oldBrowser');
  return (
    <p className="old-browser">
      {t('text')} <a href="/docs/browsers">{t('link')}</a>
    </p>
  );
}
