import { getTranslations } from 'next-intl/server';

/**
 * A notice that only browsers older than those of package.json show. It needs no script, because an
 * old browser may not run any, and has no link, because the first link of a page is the skip link.
 */
export async function OldBrowserNotice() {
  const t = await getTranslations('oldBrowser');
  return <p className="old-browser">{t('text')}</p>;
}
