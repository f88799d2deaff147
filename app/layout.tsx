import './theme/tokens.css';
import './globals.css';
import { ColorSchemeScript } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { NextIntlClientProvider } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { currentLanguage } from '#app/language/i18n.ts';
import { ThemeProvider } from '#app/theme/theme-provider.tsx';
import { Texts } from '#app/ui/text/texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('app');
  return {
    title: { default: t('name'), template: `%s · ${t('name')}` },
    robots: { index: false },
    appleWebApp: { title: t('shortName'), capable: true },
  };
}

// `cover`: the styles keep what is at an edge clear of notch and gesture bar (`--safe-…`).
export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f6f3' },
    { media: '(prefers-color-scheme: dark)', color: '#0f1114' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const t = await getTranslations('oldBrowser');
  return (
    <html lang={await currentLanguage()} data-mantine-color-scheme="light" suppressHydrationWarning>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <ThemeProvider nonce={nonce} servedAt={Date.now()}>
          <NextIntlClientProvider messages={{}}>
            {/* Only browsers older than those of package.json show it. It has no link: a page begins with the skip link. */}
            <p className="old-browser">{t('text')}</p>
            <Texts of={['app']}>{children}</Texts>
          </NextIntlClientProvider>
        </ThemeProvider>
      </body>
    </html>
  );
}
