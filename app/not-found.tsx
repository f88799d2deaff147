import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('app'))('notFoundTitle') };
}

// Next gives every page this one along, so it needs no component that would come with each of them.
export default async function NotFound() {
  const [t, docs] = [await getTranslations('app'), await getTranslations('docs')];
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
