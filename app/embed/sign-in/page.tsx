import { getTranslations } from 'next-intl/server';
import { Connected, HandOver } from '#app/embed/sign-in/hand-over.tsx';
import { SignInHere } from '#app/embed/sign-in/sign-in-here.tsx';
import { startPasskeySignInAction } from '#app/login/actions.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
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
  if (!session)
    return (
      <PublicPage title={t('connectTitle')}>
        <Texts of={['login', 'form']}>
          <SignInHere passkeys={await startPasskeySignInAction()} />
        </Texts>
      </PublicPage>
    );
  // A page of this service needs no offer: its frame has the session already.
  if (page === new URL(env().APP_URL).origin)
    return (
      <PublicPage title={t('connectTitle')} text={t('connected')}>
        <Connected origin={page} />
      </PublicPage>
    );
  const refusal = session.employee ? ((await mayEmbed(session, page)) ? null : 'notListed') : 'noInbox';
  return (
    <PublicPage title={t('connectTitle')} {...(refusal && { text: t(refusal) })}>
      {!refusal && (
        <Texts of={['embed']}>
          <HandOver code={String(code)} origin={page} />
        </Texts>
      )}
    </PublicPage>
  );
}
