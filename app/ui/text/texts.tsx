import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';
import type messages from '#messages/id.json';

/**
 * Gives the client's components inside the texts of these parts of the messages; all of them would
 * be 17 kB of every page.
 */
export async function Texts({ of, children }: { of: (keyof typeof messages)[]; children: ReactNode }) {
  const all = await getMessages();
  return <MoreTexts more={Object.fromEntries(of.map((name) => [name, all[name]]))}>{children}</MoreTexts>;
}
