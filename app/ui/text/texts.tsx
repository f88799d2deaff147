import type { Metadata } from 'next';
import { getMessages, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';
import type messages from '#messages/id/icu/pages.json';

export type Section = keyof typeof messages;

/** Gives client components the messages of these sections. All would add 17 kB to each page. */
export async function Texts({ of, children }: { of: Section[]; children: ReactNode }) {
  const all = await getMessages();
  return <MoreTexts more={Object.fromEntries(of.map((name) => [name, all[name]]))}>{children}</MoreTexts>;
}

/** Makes the layout of pages with the messages of these sections. */
export const withTexts =
  (...sections: Section[]) =>
  ({ children }: { children: ReactNode }) => <Texts of={sections}>{children}</Texts>;

/** Keeps a secret in the address out of every `Referer`. With `no-referrer`, forms have `Origin: null`. */
export const secretAddress = { referrer: 'strict-origin' } satisfies Metadata;

/** Makes the `generateMetadata` of a page whose title is a message. `more` is further metadata. */
export const titled =
  <Name extends Exclude<Section, 'app'>>(section: Name, text: keyof (typeof messages)[Name], more: Metadata = {}) =>
  async (): Promise<Metadata> => ({ ...more, title: (await getTranslations(section as 'owner'))(text as 'title') });
