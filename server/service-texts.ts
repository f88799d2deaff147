import englishApi from '#messages/en/api.json' with { type: 'json' };
import englishBrowser from '#messages/en/browser.json' with { type: 'json' };
import indonesianApi from '#messages/id/api.json' with { type: 'json' };
import indonesianBrowser from '#messages/id/browser.json' with { type: 'json' };
import type { Language } from '#platform/language.ts';

/** What programs read: the sentences of failures, and the texts of the OpenAPI document and the collection. */
export const apiTexts: Record<Language, typeof englishApi> = { id: indonesianApi, en: englishApi };

/** What a browser shows without a page of Next: pushes, the files of `app/browser-files/`, a refusal. */
export const browserTexts: Record<Language, typeof englishBrowser> = { id: indonesianBrowser, en: englishBrowser };

/** A text with each name in braces replaced by its value. */
export const fillIn = (text: string, values: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (braces, name: string) => String(values[name] ?? braces));
