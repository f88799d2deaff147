// Before everything else.
import './platform/config/require-node.js';
import { loadEnvConfig } from '@next/env';
import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';
import { givenBuildId, isDevelopment, pagesFolder } from './platform/config/build.ts';
import { takeOwnerUrl } from './platform/config/database.ts';
import { loadSettings } from './platform/config/settings.ts';
import {
  bellExamplePolicy,
  bellHeaders,
  commonHeaders,
  dataPolicy,
  fileHeaders,
  offlinePolicy,
  picturePolicy,
} from './platform/net/http-headers.ts';

// `next start` has read `.env` and further files before, and replaced what follows a `$`. All programs
// of the service read the same file in the same way.
loadSettings(Object.keys(loadEnvConfig(import.meta.dirname).parsedEnv ?? {}));
takeOwnerUrl();

const asList = (headers: Record<string, string>) => Object.entries(headers).map(([key, value]) => ({ key, value }));

const config: NextConfig = {
  distDir: pagesFolder(),
  generateBuildId: givenBuildId,
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  images: { unoptimized: true },
  // `npm run types` checks them; in a build they would take 8 s more.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // `forbidden()`, for what only owners may open.
    authInterrupts: true,
    // A page is loaded when it is asked for first. All of them take 18 MB and
    // 0.2 s of the start; the first one takes 80 ms longer.
    preloadEntriesOnStart: false,
    // One process reads the pages after they are built. Its default, one for each core but one, would
    // take 150 MB for each.
    cpus: 1,
    // The body of an action, which `proxy.ts` reads before Next. The front has the same limits.
    proxyClientMaxBodySize: '16kb',
    serverActions: { bodySizeLimit: '16kb' },
    // Each build has a new folder and would not find the cache, which takes 5 s and 146 MB.
    turbopackFileSystemCacheForBuild: false,
    // Fewer, larger files compress better: a first visit loads 4 to 6 kB less. With the defaults (200 kB and 50 kB
    // before minifying) a page has 12 to 20 files instead of 7 to 11.
    turbopackChunking: { requestCost: 1_000_000, minChunkSize: 200_000, firstPageLoadPriority: 1 },
    // Nothing reads them: another 42 MB.
    turbopackSourceMaps: isDevelopment(),
  },
  serverExternalPackages: ['@node-rs/argon2', 'pino', 'postgres'],
  // The texts of the documentation become part of the build (import.meta.glob in
  // app/docs/texts/doc-texts.ts).
  turbopack: { rules: { '*': { condition: { query: '?raw' }, type: 'text' } } },
  rewrites: async () => [
    // Guesses of programs, which get 404 in JSON.
    { source: '/:path(notif|notif\\.php|v\\d+/.*)', destination: '/api/unknown' },
    { source: '/docs/:path([a-z0-9/-]+)\\.md', destination: '/docs/markdown/:path' },
    {
      source: '/:file(bell-example\\.html|embed\\.js|offline\\.html|service-worker\\.js)',
      destination: '/browser-files/:file',
    },
  ],
  // Pages get another policy in proxy.ts. The API sets its own headers.
  headers: async () => [
    {
      source: '/((?!api/v1/notif\\.php).*)',
      headers: asList({ ...commonHeaders, 'Content-Security-Policy': dataPolicy }),
    },
    { source: '/embed.js', headers: asList({ ...fileHeaders, ...bellHeaders }) },
    { source: '/_next/static/(.*)', headers: asList(fileHeaders) },
    { source: '/company-logo/:version', headers: asList({ 'Content-Security-Policy': picturePolicy }) },
    { source: '/picture/:draft', headers: asList({ 'Content-Security-Policy': picturePolicy }) },
    { source: '/invite/:token/logo', headers: asList({ 'Content-Security-Policy': picturePolicy }) },
    { source: '/join/:token/logo', headers: asList({ 'Content-Security-Policy': picturePolicy }) },
    { source: '/service-worker.js', headers: asList(fileHeaders) },
    { source: '/bell-example.html', headers: asList({ 'Content-Security-Policy': bellExamplePolicy }) },
    { source: '/offline.html', headers: asList({ 'Content-Security-Policy': offlinePolicy }) },
  ],
};

const withTexts = createNextIntlPlugin({
  requestConfig: './app/language/i18n.ts',
  // ICU messages are compiled at build time, so that pages do not load their parser.
  experimental: {
    messages: { path: './messages/*/icu', format: 'json', locales: 'infer', sourceLocale: 'id', precompile: true },
  },
});

export default withTexts(config);
