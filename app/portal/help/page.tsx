import { Stack, Table, TableTbody, TableTd, TableTh, TableThead, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { SoundChip } from '#app/portal/live/controls/sound-control.tsx';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('help', 'title');

const cases = [
  'visible',
  'hidden',
  'tabs',
  'stream',
  'restart',
  'sleep',
  'offline',
  'discarded',
  'phone',
  'closed',
] as const;
const browsers = ['chrome', 'edge', 'firefox', 'safari', 'android', 'ios'] as const;

export default async function Help() {
  await requireEmployee('/portal/help');
  const t = await getTranslations('help');
  const cure = await getTranslations('sound.cure');
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
          <Table className="rows" aria-labelledby="promise-title">
            <TableThead>
              <TableTr>
                <TableTh>{t('case')}</TableTh>
                <TableTh>{t('rings')}</TableTh>
                <TableTh>{t('todo')}</TableTh>
              </TableTr>
            </TableThead>
            <TableTbody>
              {cases.map((name) => (
                <TableTr key={name}>
                  <TableTd fw={600}>{t(`cases.${name}.when`)}</TableTd>
                  <TableTd data-label={t('rings')}>{t(`cases.${name}.rings`)}</TableTd>
                  <TableTd data-label={t('todo')}>{t(`cases.${name}.todo`)}</TableTd>
                </TableTr>
              ))}
            </TableTbody>
          </Table>
        </Section>
        <Section id="sound" title={t('sound')} lead={t('soundLead')}>
          <Table className="rows" aria-labelledby="sound-title">
            <TableTbody>
              {browsers.map((name) => (
                <TableTr key={name}>
                  <TableTd fw={600}>{t(`browsers.${name}`)}</TableTd>
                  <TableTd>{cure(name)}</TableTd>
                </TableTr>
              ))}
            </TableTbody>
          </Table>
          <TextLink href="/docs/browsers">{t('tested')}</TextLink>
        </Section>
        <Section id="trust" title={t('trust')}>
          <Text>{t('trustText')}</Text>
        </Section>
        <Section id="keys" title={t('keys')}>
          <Text>{t('keysText')}</Text>
        </Section>
      </Stack>
    </>
  );
}
