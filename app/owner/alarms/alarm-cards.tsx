'use client';

import { Box, Group, Stack, Text } from '@mantine/core';
import { useHash } from '@mantine/hooks';
import { KeyRound, Siren, Undo2, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { dismissAlarmAction, withdrawRepeatsAction } from '#app/owner/alarms/actions.ts';
import type { ActiveAlarms, ShownAlarm } from '#app/owner/alarms/active-alarms.ts';
import { alarmsHash, reloadAlarms, useAlarms } from '#app/owner/alarms/alarm-bar.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { ActionDialog } from '#app/ui/sessions/form-dialog.tsx';
import { ButtonLink, PageLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';

// The dialog of the keys page: it asks for the name of a key that is in use.
const RevokeKey = whenNeeded(() => import('#app/owner/keys/activity/key-activity.tsx'), 'RevokeKey', { texts: true });

/** One line about the active alarms. It opens what helps, the mildest first. Without a device (`hasDevice`) it offers one. */
export function AlarmCards({ initial, hasDevice }: { initial: ActiveAlarms; hasDevice: boolean }) {
  const t = useTranslations('alarms');
  const { alarms, guessing } = useAlarms(initial);
  const { failures = 0, addresses = 0 } = guessing ?? {};
  const [hash] = useHash();
  const names = [...(guessing?.names ?? []), ...alarms.map(({ name }) => name)];
  const cards = (
    <Stack gap={12} mt={8}>
      {guessing && (
        // It ends by itself an hour after the last wrong password, so nobody dismisses it.
        <Alarm
          kind="guessing"
          title={t('guessing', { names: guessing.names.join(', '), more: guessing.more })}
          text={t.rich('guessingText', { failures, addresses, when: () => <TimeAgo at={guessing.since} /> })}
        />
      )}
      {alarms.map((alarm) => (
        <AlarmCard key={`${alarm.kind}:${JSON.stringify(alarm.source)}`} alarm={alarm} />
      ))}
      {!hasDevice && (
        <Text c="dimmed">
          {t.rich('noDevice', {
            settings: (text) => <PageLink href="/owner/settings/alarms#alarm-devices">{text}</PageLink>,
          })}
        </Text>
      )}
    </Stack>
  );
  return (
    <div role="alert">
      {names.length > 0 && (
        <details className="alarm-cards no-print" open={hash === alarmsHash}>
          <summary className="notice-line" data-alarms>
            <Siren />
            <span>
              {t('lineNamed', { count: alarms.length + (guessing ? 1 : 0), names: [...new Set(names)].join(', ') })}
            </span>
            <span className="row-action">{t('look')}</span>
          </summary>
          {cards}
        </details>
      )}
    </div>
  );
}

function AlarmCard({ alarm }: { alarm: ShownAlarm }) {
  const t = useTranslations('alarms');
  const router = useRouter();
  const [asking, setAsking] = useState<'withdraw' | 'revoke'>();
  const { kind, source, name } = alarm;
  const keyId = 'keyId' in source ? source.keyId : null;
  const done = () => {
    setAsking(undefined);
    reloadAlarms();
    router.refresh();
  };
  const dismissing = useAction(dismissAlarmAction, done, { alarmGone: t('gone') });
  const isRepeated = kind === 'repeated-broadcast';
  const standing = isRepeated ? alarm.standing : 0;
  const entries = [
    standing > 0 && { text: t('withdraw', { count: standing }), icon: Undo2, onChoose: () => setAsking('withdraw') },
    isRepeated && keyId !== null && { text: t('revoke'), icon: KeyRound, onChoose: () => setAsking('revoke') },
    { text: t('dismiss'), icon: X, onChoose: () => void dismissing.run({ kind, ...source }) },
  ].filter((entry) => entry !== false);
  const { title, text, see, href } = useAlarmTexts(alarm);
  return (
    <Alarm kind={kind} title={title} text={text}>
      {dismissing.problems.form && <div>{dismissing.problems.form}</div>}
      <Group gap={4} justify="flex-end" flex={{ base: '1 1 100%', sm: 'none' }}>
        <ButtonLink size="sm" href={href} text={see} />
        <ActionMenu label={t('moreNamed', { name })} pending={dismissing.pending} entries={entries} />
      </Group>
      {asking === 'revoke' && keyId !== null && (
        <RevokeKey
          apiKey={{ id: keyId, name, lastUse: lastUseOf(alarm), requests: 'count' in alarm ? alarm.count : 0 }}
          onClose={done}
        />
      )}
      {asking === 'withdraw' && 'standing' in alarm && (
        <ActionDialog
          action={withdrawRepeatsAction}
          input={source}
          sentences={{ alarmGone: t('gone') }}
          title={<bdi>{t('withdrawTitle', { count: alarm.standing, title: alarm.title })}</bdi>}
          submit={t('withdraw', { count: alarm.standing })}
          isDestructive
          onClose={() => setAsking(undefined)}
          onDone={done}
        >
          {t('withdrawText')}
        </ActionDialog>
      )}
    </Alarm>
  );
}

// The dialog needs a last use. The key raised the alarm, so it was in use when the alarm began.
const lastUseOf = ({ at }: ShownAlarm) =>
  at === null ? null : { at: new Date(at), operation: 'send' as const, address: '', client: '' };

type AlarmProps = { kind: ShownAlarm['kind'] | 'guessing'; title: string; text: ReactNode; children?: ReactNode };

function Alarm({ kind, title, text, children }: AlarmProps) {
  const ground = kind === 'silent-key' ? 'var(--mantine-color-orange-light)' : 'var(--loss-soft)';
  return (
    <Group component="section" gap="4px 12px" align="stretch" px={12} py={8} bg={ground} bdrs="lg" data-alarm={kind}>
      <Siren size={20} color="var(--loss)" style={{ flexShrink: 0, marginTop: 3 }} />
      <Box flex="1 1 0" miw={0}>
        <Text component="bdi" display="block" size="sm" fw={600} c="var(--heading)">
          {title}
        </Text>
        <Text component="bdi" display="block" size="sm">
          {text}
        </Text>
      </Box>
      {children}
    </Group>
  );
}

function useAlarmTexts(alarm: ShownAlarm): { title: string; text: ReactNode; see: string; href: string } {
  const t = useTranslations('alarms');
  const { kind, source, name, at } = alarm;
  const when = () => (at ? <TimeAgo at={at} /> : null);
  if (kind === 'links-changed') {
    const text = t.rich(alarm.title ? 'linksText' : 'noLinksText', { address: alarm.title, when });
    return { title: t('links', { name }), text, see: t('seeLinks'), href: '/owner/settings/company#links' };
  }
  if (kind === 'denied-requests') {
    const who = 'accountId' in source ? `&who=person-${source.accountId}` : '';
    const [title, text] = [t('denied', { name, count: alarm.count }), t.rich('deniedText', { name, when })];
    return { title, text, see: t('seeDenied'), href: `/owner/audit?action=access.deny${who}` };
  }
  const see = t('seeSends');
  const sends = `/owner/sends?sender=${'keyId' in source ? source.keyId : 'hand'}`;
  if (kind === 'repeated-broadcast') {
    const by = 'keyId' in source ? 'repeated' : 'repeatedByPerson';
    const text = t.rich(`${by}Text`, { title: alarm.title, name, when });
    const href = `${sends}&search=${encodeURIComponent(alarm.title)}`;
    return { title: t(by, { name, count: alarm.count }), text, see, href };
  }
  const every = t('every', { minutes: alarm.everyMinutes });
  const text = t.rich(at ? 'silentText' : 'neverSentText', { every, when });
  return { title: t('silent', { name }), text, see, href: sends };
}
