import '#app/docs/docs.css';
import { Menu } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButtons } from '#app/docs/frame/copy-buttons.tsx';
import { addressOf, listTexts, pageSlugs, recipeSlugs } from '#app/docs/texts/doc-texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { Mark } from '#app/ui/frame/company-logo.tsx';

const beginning = ['start', 'send'];

type Props = { current?: string; query?: string; aside?: ReactNode; children: ReactNode };

/** Header, contents and main part of a page. `current` is its slug, `aside` stands beside it. */
export async function DocsFrame({ current, query, aside, children }: Props) {
  const [t, app] = await Promise.all([getTranslations('docs'), getTranslations('app')]);
  return (
    <>
      <a className="skip-link" href="#content">
        {app('skip')}
      </a>
      <header className="frame-header docs-header">
        <a className="icon-button docs-menu-link" href="#docs-menu" aria-label={t('openMenu')}>
          <Menu size={22} />
        </a>
        <a className="frame-company docs-home" href="/docs">
          <Mark />
          <span>{t('title')}</span>
        </a>
        <search className="docs-search">
          <form action="/docs/search">
            <input
              id="docs-search"
              type="search"
              name="q"
              defaultValue={query}
              maxLength={100}
              aria-label={t('searchLabel')}
              placeholder={t('searchHint')}
            />
            <button type="submit">{t('search')}</button>
          </form>
        </search>
        <a className="docs-sign-in" href="/">
          {t('signIn')}
        </a>
        <LanguageSwitch />
      </header>
      <div className="frame-main docs-page">
        <main className="docs-main" id="content" tabIndex={-1}>
          {children}
        </main>
        {aside}
      </div>
      <Contents current={current} />
      <CopyButtons copied={t('copied')} select={t('select')} />
    </>
  );
}

async function Contents({ current }: { current?: string }) {
  const t = await getTranslations('docs');
  const language = await currentLanguage();
  const groups = [
    { title: t('groupBegin'), slugs: beginning },
    { title: t('groupRecipes'), slugs: ['recipes', ...recipeSlugs] },
    { title: t('groupLookUp'), slugs: pageSlugs.filter((slug) => ![...beginning, 'recipes'].includes(slug)) },
  ];
  return (
    <nav className="frame-side docs-menu" id="docs-menu" aria-label={t('menu')}>
      {groups.map(({ title, slugs }) => (
        <section key={title}>
          <p>{title}</p>
          <ul className="plain-list">
            {listTexts(slugs, language).map((text) => (
              <li key={text.slug}>
                <a href={addressOf(text.slug)} aria-current={text.slug === current ? 'page' : undefined}>
                  {text.slug === 'recipes' ? t('allRecipes') : text.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
