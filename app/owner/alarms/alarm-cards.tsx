'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Siren } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { dismissAlarmAction, withdrawRepeatsAction } from '#app/owner/alarms/actions.ts';
import { reloadAlarms, type ShownAlarm, useAlarms } from '#app/owner/alarms/alarm-bar.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { ButtonLink, TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';

// The dialog of the keys page: it asks for the name of a key that is in use.
const RevokeKey = whenNeeded(() => import('#app/owner/keys/dialogs/revoke-key.tsx'), 'RevokeKey');

/**
 * The active alarms with what an owner can do about them, the mildest choice first. Below them an
 * owner without a device (`hasDevice`) learns that a device can get them.
 */
export function AlarmCards({ hasDevice }: { hasDevice: boolean }) {
  const t = useTranslations('alarms');
  const { alarms, guessing } = useAlarms();
  const { failures = 0, addresses = 0 } = guessing ?? {};
  return (
    <Stack gap={12} className="alarm-cards" role="alert">
      {guessing && (
        // It ends by itself an hour after the last wrong password, so nobody dismisses it.
        <Alert color="red" icon={<Siren aria-hidden />} className="alarm" data-alarm="guessing">
          <AlarmText title={t('guessing', { names: guessing.names.join(', '), more: guessing.more })}>
            {t.rich('guessingText', { failures, addresses, when: () => <TimeAgo at={guessing.since} /> })}
          </AlarmText>
        </Alert>
      )}
      {alarms.map((alarm) => (
        <AlarmCard key={`${alarm.kind}:${JSON.stringify(alarm.source)}`} alarm={alarm} />
      ))}
      {!hasDevice && (guessing !== null || alarms.length > 0) && (
        <Text className="fine-print">
          {t.rich('devices.offer', {
            settings: (text) => <TextLink href="/owner/settings/alarms#alarm-devices">{text}</TextLink>,
          })}
        </Text>
      )}
    </Stack>
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
  const color = kind === 'silent-key' ? 'yellow' : 'red';
  const search = kind === 'repeated-broadcast' ? `&search=${encodeURIComponent(alarm.title)}` : '';
  return (
    <Alert color={color} icon={<Siren aria-hidden />} className="alarm" data-alarm={kind}>
      <Stack gap="xs">
        <div>
          <SenderText alarm={alarm} />
        </div>
        {dismissing.problems.form && <div>{dismissing.problems.form}</div>}
        <Group gap="xs">
          <ButtonLink
            href={
              kind === 'links-changed'
                ? '/owner/settings/company#links'
                : kind === 'denied-requests'
                  ? `/owner/audit?action=access.deny${'accountId' in source ? `&who=person-${source.accountId}` : ''}`
                  : `/owner/sends?sender=${keyId ?? 'hand'}${search}`
            }
          >
            {t(kind === 'links-changed' ? 'seeLinks' : kind === 'denied-requests' ? 'seeDenied' : 'seeSends')}
          </ButtonLink>
          {kind === 'repeated-broadcast' && alarm.standing > 0 && (
            <Button variant="default" onClick={() => setAsking('withdraw')}>
              {t('withdraw', { count: alarm.standing })}
            </Button>
          )}
          {kind === 'repeated-broadcast' && keyId !== null && (
            <Button variant="default" aria-label={t('revokeNamed', { name })} onClick={() => setAsking('revoke')}>
              {t('revoke')}
            </Button>
          )}
          <Button
            variant="subtle"
            loading={dismissing.pending}
            aria-label={t('dismissNamed', { name })}
            onClick={() => void dismissing.run({ kind, ...source })}
          >
            {t('dismiss')}
          </Button>
        </Group>
      </Stack>
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
    </Alert>
  );
}

// Until the dialog knows more: a key that raised this alarm has been in use.
const lastUseOf = ({ at }: ShownAlarm) =>
  at === null ? null : { at: new Date(at), operation: 'send' as const, address: '', client: '' };

function AlarmText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Text component="bdi" display="block" fw={600}>
        {title}
      </Text>
      <Text component="bdi" display="block" size="sm">
        {children}
      </Text>
    </>
  );
}

function SenderText({ alarm }: { alarm: ShownAlarm }) {
  const t = useTranslations('alarms');
  const { kind, source, name, at } = alarm;
  const when = () => (at ? <TimeAgo at={at} /> : null);
  if (kind === 'repeated-broadcast')
    return (
      <AlarmText title={t('keyId' in source ? 'repeated' : 'repeatedByPerson', { name, count: alarm.count })}>
        {t.rich('keyId' in source ? 'repeatedText' : 'repeatedByPersonText', { title: alarm.title, name, when })}
      </AlarmText>
    );
  if (kind === 'denied-requests')
    return (
      <AlarmText title={t('denied', { name, count: alarm.count })}>{t.rich('deniedText', { name, when })}</AlarmText>
    );
  if (kind === 'links-changed')
    return (
      <AlarmText title={t('links', { name })}>
        {t.rich(alarm.title ? 'linksText' : 'noLinksText', { address: alarm.title, when })}
      </AlarmText>
    );
  const every = t('every', { minutes: alarm.everyMinutes });
  return (
    <AlarmText title={t('silent', { name })}>{t.rich(at ? 'silentText' : 'neverSentText', { every, when })}</AlarmText>
  );
}
