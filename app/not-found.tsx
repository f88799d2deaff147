import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('app'))('notFoundTitle') };
}

// Next sends this page along with every other one, so it uses plain elements only.
export default async function NotFound() {
  const [t, docs] = await Promise.all([getTranslations('app'), getTranslations('docs')]);
  return (
    <main className="lone-page">
      <h1>{t('notFoundTitle')}</h1>
      <p>{t('notFoundText')}</p>
      <a className="plain-button" href="/">
        {t('home')}
      </a>
      <p>{docs.rich('forIntegrators', { link: (text) => <a href="/docs">{text}</a> })}</p>
    </main>
  );
}
