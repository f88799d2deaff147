import { getTranslations } from 'next-intl/server';
import { HandOver } from '#app/embed/sign-in/hand-over.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { requireEmployee, requireSession } from '#server/accounts/sign-in/require.ts';
import { mayEmbed } from '#server/companies/link-base.ts';

export const generateMetadata = titled('embed', 'connectTitle');

type Query = Partial<Record<'code' | 'origin', string | string[]>>;

/** The window in which a person signs in for a bell in another site's page. */
export default async function SignInForBell({ searchParams }: { searchParams: Promise<Query> }) {
  const { code = '', origin = '' } = await searchParams;
  const [own, page] = [String(code), String(origin)];
  const address = `/embed/sign-in?${new URLSearchParams({ code: own, origin: page })}`;
  await requireEmployee(address);
  const t = await getTranslations('embed');
  const isListed = await mayEmbed(await requireSession(address), page);
  // A page of this service needs no offer: its frame has the session already.
  const unlisted = page === new URL(env().APP_URL).origin ? 'connected' : 'notListed';
  return (
    <PublicPage title={t('connectTitle')} {...(!isListed && { text: t(unlisted) })}>
      {isListed && (
        <Texts of={['embed']}>
          <HandOver code={own} origin={page} />
        </Texts>
      )}
    </PublicPage>
  );
}
