import '@mantine/core/styles.css';
import './globals.css';
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { cssVariables, theme } from '#app/theme.ts';
import { Ready } from '#app/ui/ready.tsx';

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
    <html lang={await getLocale()} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" />
      </head>
      <body>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <NextIntlClientProvider>{children}</NextIntlClientProvider>
          <Ready />
        </MantineProvider>
      </body>
    </html>
  );
}
