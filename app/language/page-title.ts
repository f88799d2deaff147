import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type messages from '#messages/id.json';

type Texts = typeof messages;
type Section = Exclude<keyof Texts, 'app'>;

/** Makes the `generateMetadata` of a page whose title is a message. */
export const titled =
  <Name extends Section>(section: Name, text: keyof Texts[Name]) =>
  async (): Promise<Metadata> => ({ title: (await getTranslations(section as 'owner'))(text as 'title') });
