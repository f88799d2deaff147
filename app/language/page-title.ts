import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type messages from '#messages/id/icu/pages.json';

type Texts = typeof messages;
type Section = Exclude<keyof Texts, 'app'>;

/**
 * For pages with a secret in their address, which no `Referer` then tells. With `no-referrer`, browsers
 * would post their forms with `Origin: null`, which no page of the service may have.
 */
export const secretAddress = { referrer: 'strict-origin' } satisfies Metadata;

/** Makes the `generateMetadata` of a page whose title is a message. `more` is further metadata. */
export const titled =
  <Name extends Section>(section: Name, text: keyof Texts[Name], more: Metadata = {}) =>
  async (): Promise<Metadata> => ({ ...more, title: (await getTranslations(section as 'owner'))(text as 'title') });
