import { Stack, Text } from '@mantine/core';
import { getMessages, getTranslations } from 'next-intl/server';
import { SoundChip } from '#app/portal/live/controls/sound-panel.tsx';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { FactRows } from '#app/ui/lists/facts.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('help', 'title');

const namesOf = <Texts extends object>(texts: Texts) => Object.keys(texts) as (keyof Texts & string)[];

export default async function Help() {
  await requireEmployee('/portal/help');
  const [t, cure, { help }] = await Promise.all([
    getTranslations('help'),
    getTranslations('sound.cure'),
    getMessages(),
  ]);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Stack>
        <Section id="now" title={t('now')}>
          <ConnectionState />
          <SoundChip />
          <TextLink href="/portal/settings#sound">{t('toSettings')}</TextLink>
        </Section>
        <Section id="promise" title={t('promise')} lead={t('promiseLead')}>
          <FactRows
            rows={namesOf(help.cases).map((name) => ({
              name: t(`cases.${name}.when`),
              value: (
                <>
                  {t(`cases.${name}.rings`)} <strong>{t(`cases.${name}.todo`)}</strong>
                </>
              ),
            }))}
          />
        </Section>
        <Section id="sound" title={t('sound')} lead={t('soundLead')}>
          <FactRows rows={namesOf(help.browsers).map((name) => ({ name: t(`browsers.${name}`), value: cure(name) }))} />
          <TextLink href="/docs/browsers">{t('tested')}</TextLink>
        </Section>
        {(['trust', 'keys'] as const).map((id) => (
          <Section key={id} id={id} title={t(id)}>
            <Text>{t(`${id}Text`)}</Text>
          </Section>
        ))}
      </Stack>
    </>
  );
}
