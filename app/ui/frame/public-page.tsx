import { useTranslations } from 'next-intl';
import type { PropsWithChildren } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { type Section, Texts } from '#app/ui/text/texts.tsx';

type Props = { logo?: LogoPicture | null; title: string; lead?: string; text?: string; texts?: Section[] };

/** A page before the sign-in. A `lead` introduces a form; a `text` is the content. The children get the `texts`. */
export function PublicPage({ logo, title, lead, text, texts = [], children }: PropsWithChildren<Props>) {
  const t = useTranslations('app');
  return (
    <div className="public-page">
      <header>
        <CompanyLogo logo={logo} />
        <strong>{t('name')}</strong>
        <LanguageSwitch />
      </header>
      <main>
        <h1 className="wrapping">{title}</h1>
        {lead && <p className="dimmed wrapping">{lead}</p>}
        {text && <p className="wrapping">{text}</p>}
        <Texts of={['demoLink', 'form', 'login', ...texts]}>{children}</Texts>
      </main>
    </div>
  );
}
