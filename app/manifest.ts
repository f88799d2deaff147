import type { MetadataRoute } from 'next';
import { getTranslations } from 'next-intl/server';

/** The web app manifest. On an iPhone, only an installed app receives push notifications. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const t = await getTranslations('app');
  return {
    id: '/portal',
    name: t('name'),
    short_name: t('shortName'),
    description: t('description'),
    start_url: '/portal',
    scope: '/',
    display: 'standalone',
    background_color: '#f7f6f3',
    theme_color: '#0f6b68',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}
