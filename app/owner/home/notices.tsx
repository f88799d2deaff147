import { Alert, Group, Stack, Text } from '@mantine/core';
import { CalendarClock, CalendarX2, UserRoundPlus } from 'lucide-react';
import { getMessages, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { findActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import { AlarmCards } from '#app/owner/alarms/alarm-cards.tsx';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { PlanButtons } from '#app/owner/sends/planned/plan-buttons.tsx';
import { NoticeLine } from '#app/ui/frame/notice-line.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { listOwnerChanges } from '#server/audit/list.ts';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { hasOwnerDevice } from '#server/push/owner-devices.ts';
import { findPlannedForHome } from '#server/sends/planned/planned-list.ts';

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
        {first && missed.length === 1 && (
          <Alert color="orange" icon={<CalendarX2 size={24} />} data-missed={count}>
            <Stack gap="xs">
              <div>
                {t('homeMissed', { count })} <bdi>“{first.title}”</bdi>, <Timestamp at={first.leavesAt} />
              </div>
              <Group gap="xs">
                <PlanButtons isMissed draftId={first.draftId} title={first.title} />
              </Group>
            </Stack>
          </Alert>
        )}
        {missed.length > 1 && (
          <NoticeLine
            href="/owner/sends/planned"
            icon={<CalendarX2 />}
            see={t('decide')}
            tone="attention"
            data-missed={count}
          >
            {t('homeMissed', { count })}
          </NoticeLine>
        )}
        {next && (
          <NoticeLine
            href="/owner/sends/planned"
            icon={<CalendarClock />}
            see={t('toPlanned')}
            tone="calm"
            data-next={next.draftId}
          >
            {t('homeNext')} <Timestamp at={next.leavesAt} /> · <bdi>{next.title}</bdi>
          </NoticeLine>
        )}
      </Stack>
    </Texts>
  );
}

/** A line that leads to the open requests to join; nothing if there are none. */
export async function JoinRequestsNote({ manager }: { manager: Manager }) {
  const count = await countJoinRequests(manager);
  if (count === 0) return null;
  const t = await getTranslations('joins');
  return (
    <NoticeLine href="/owner/employees/join" icon={<UserRoundPlus />} see={t('see')} tone="calm">
      {t('open', { count })}
    </NoticeLine>
  );
}

/** The cards of the active alarms, with the texts of the dialog for a key. */
export async function HomeAlarms({ owner }: { owner: Owner }) {
  const [{ keys }, hasDevice, alarms] = await Promise.all([
    getMessages(),
    hasOwnerDevice(owner),
    findActiveAlarms(owner),
  ]);
  const ofDialog = Object.entries(keys).filter(([name]) => /^(?:revoke|from|operation|call)/.test(name));
  return (
    <MoreTexts more={{ keys: Object.fromEntries(ofDialog) }}>
      <AlarmCards initial={alarms} hasDevice={hasDevice} />
    </MoreTexts>
  );
}

export async function FirstTexts({ children }: { children: ReactNode }) {
  const { employees, firstSteps } = await getMessages();
  const needed = Object.entries(employees).filter(([name]) => /^(?:addMe|invite)/.test(name));
  return <MoreTexts more={{ firstSteps, employees: Object.fromEntries(needed) }}>{children}</MoreTexts>;
}

export async function ConnectSystem() {
  const t = await getTranslations('owner.connect');
  return (
    <Section id="connect" title={t('title')}>
      <Text size="sm">{t('text')}</Text>
      <TextLink href="/owner/keys">{t('go')}</TextLink>
    </Section>
  );
}

/** What others changed about the owners in the last 7 days; nothing if there was nothing. */
export async function OwnerChanges({ owner }: { owner: Owner }) {
  const changes = await listOwnerChanges(owner);
  if (changes.length === 0) return null;
  const [t, describer] = await Promise.all([getTranslations('owner.changes'), makeDescriber()]);
  return (
    <Section id="owner-changes" title={t('title')} lead={t('lead')}>
      <Stack component="ul" gap="sm" className="plain-list">
        {changes.map((entry) => (
          <li key={entry.id}>
            <Text component="bdi" display="block" fw={600} className="wrapping">
              {describer.event(entry)}
            </Text>
            <Text className="fine-print">
              <bdi>{describer.actor(entry)}</bdi> · <Timestamp at={entry.at} />
            </Text>
          </li>
        ))}
      </Stack>
      <TextLink href="/owner/settings/access">{t('owners')}</TextLink>
    </Section>
  );
}
