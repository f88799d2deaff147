import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BellWindow, Connected, HandOver, SignInHere } from '#app/embed/sign-in/hand-over.tsx';
import { startPasskeySignInAction } from '#app/login/actions.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { mayEmbed } from '#server/companies/link-base.ts';

export const generateMetadata = titled('embed', 'connectTitle');

type Query = Partial<Record<'code' | 'origin', string | string[]>>;

/** The window in which a person signs in for a bell in another site's page. */
export default async function SignInForBell({ searchParams }: { searchParams: Promise<Query> }) {
  const { code = '', origin = '' } = await searchParams;
  const page = String(origin);
  const t = await getTranslations('embed');
  const session = await currentSession();
  const isOpenedByBell = await isFromFrame(page);
  const inWindow = (content: ReactNode, text?: string) => (
    <BellWindow isOpenedByBell={isOpenedByBell}>
      <PublicPage title={t('connectTitle')} text={text} texts={['embed']}>
        {content}
      </PublicPage>
    </BellWindow>
  );
  if (!session) return inWindow(<SignInHere passkeys={await startPasskeySignInAction()} />);
  // A page of this service needs no offer: its frame has the session already.
  if (page === new URL(env().APP_URL).origin) return inWindow(<Connected />, t('connected'));
  const refusal = session.employee ? ((await mayEmbed(session, page)) ? null : 'notListed') : 'noInbox';
  if (refusal) return inWindow(null, t(refusal));
  return inWindow(<HandOver code={String(code)} origin={page} />);
}

// Whether a frame of a bell in this page asked for the window. Other sites and links cannot send such a `Referer`.
async function isFromFrame(origin: string): Promise<boolean> {
  const sent = await headers();
  const referer = sent.get('referer') ?? '';
  if (sent.get('sec-fetch-site') !== 'same-origin' || !URL.canParse(referer)) return false;
  const { pathname, searchParams } = new URL(referer);
  return pathname === '/embed' && searchParams.get('origin') === origin;
}
