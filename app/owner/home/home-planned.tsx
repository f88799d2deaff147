import { Alert, Group, Stack } from '@mantine/core';
import { CalendarClock, CalendarX2 } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { MissedButtons } from '#app/owner/sends/planned/plan-buttons.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import type { Manager } from '#server/principals.ts';
import { findPlannedForHome } from '#server/sends/planned-list.ts';

/** Missed sends, which ask for a decision, and one line about the next planned one. */
export async function HomePlanned({ manager }: { manager: Manager }) {
  const { missed, next } = await findPlannedForHome(manager);
  if (missed.length === 0 && !next) return null;
  const t = await getTranslations('planned');
  const [first] = missed;
  const count = missed.reduce((sum, { missedBefore }) => sum + 1 + missedBefore, 0);
  return (
    <Texts of={['planned']}>
      <Stack gap="xs" mb="md">
        {first && (
          <Alert color="orange" icon={<CalendarX2 aria-hidden />} data-missed={count}>
            <Stack gap="xs">
              <div>
                {t('homeMissed', { count })}{' '}
                <bdi>
                  <b>“{first.title}”</b>
                </bdi>
                , <Moment at={first.leavesAt} />
              </div>
              {missed.length === 1 ? (
                <Group gap="xs">
                  <MissedButtons draftId={first.draftId} title={first.title} />
                </Group>
              ) : (
                <TextLink href="/owner/sends/planned">{t('decide')}</TextLink>
              )}
            </Stack>
          </Alert>
        )}
        {next && (
          <p className="home-next">
            <CalendarClock aria-hidden className="home-next-icon" size={16} /> {t('homeNext')}{' '}
            <Moment at={next.leavesAt} /> · <bdi>{next.title}</bdi> ·{' '}
            <TextLink href="/owner/sends/planned">{t('toPlanned')}</TextLink>
          </p>
        )}
      </Stack>
    </Texts>
  );
}
