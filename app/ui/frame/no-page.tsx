import { getTranslations } from 'next-intl/server';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';

/** What the frame shows in place of a page: that it is not there (`notFound`), or is not for this person. */
export async function NoPage({ reason }: { reason: 'notFound' | 'onlyOwners' }) {
  const t = await getTranslations('app');
  return (
    <>
      <PageHead title={t(`${reason}Title`)} lead={t(`${reason}Text`)} />
      <TextLink href="/">{t('home')}</TextLink>
    </>
  );
}
