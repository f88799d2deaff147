import type messages from '#messages/id/icu/pages.json';
import type { Language, locales } from '#platform/language.ts';

declare module 'next-intl' {
  interface AppConfig {
    Locale: (typeof locales)[Language];
    Messages: typeof messages;
  }
}
