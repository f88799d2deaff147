import './kit.css';
import './globals.css';
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { currentLanguage } from '#app/i18n.ts';
import { cssVariables, theme } from '#app/theme.ts';
import { Ready } from '#app/ui/ready.tsx';
import { Texts } from '#app/ui/texts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('app');
  return {
    title: { default: t('name'), template: `%s · ${t('name')}` },
    robots: { index: false },
    appleWebApp: { title: t('shortName'), capable: true },
  };
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1, themeColor: '#3b5bdb' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={await currentLanguage()} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" />
      </head>
      <body>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <NextIntlClientProvider messages={{}}>
            <Texts of={['app']}>{children}</Texts>
          </NextIntlClientProvider>
          <Ready />
        </MantineProvider>
      </body>
    </html>
  );
}
