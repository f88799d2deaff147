import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { AlarmClock, Archive, Inbox, Mail, MailOpen } from 'lucide-react';
import { useTimeZone, useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { asClock, minuteOfDay } from '#app/portal/live/quiet/quiet.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import {
  archiveItem,
  endSnooze,
  type Problem,
  restoreItem,
  snoozeItem,
} from '#app/portal/notification/archive-and-snooze.ts';
import { storeMark } from '#app/portal/notification/item-parts.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { SnoozeTime } from '#server/inbox/snooze.ts';

const evening = 18 * 60;
const morning = 8 * 60;

/** Asks where a notification goes: to the archive, or out of the inbox until a time. */
export function ArchiveDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const t = useTranslations('archiveAndSnooze');
  const inbox = useTranslations('inbox');
  const portal = usePortal();
  const companyZone = useTimeZone() ?? 'Asia/Jakarta';
  const zone = usePortalState().preferences.quietTimeZone ?? companyZone;
  const [pending, setPending] = useState(false);
  const [problem, setRefusal] = useState<Problem | null>(null);
  const [own, setOwn] = useState(false);
  const attempt = async (action: () => Promise<Problem | null>) => {
    setPending(true);
    const refused = await action();
    setPending(false);
    setRefusal(refused);
    if (!refused) onClose();
  };
  const remind = (time: SnoozeTime) => void attempt(() => snoozeItem(portal, t, item, time));
  const waits = item.mustConfirm && !item.confirmedAt;
  const isSnoozed = item.snoozedUntil !== undefined && !item.back;
  const now = new Date();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { day = '', time = '' } = readForm(event.currentTarget);
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    if (day && time) remind({ day, minute: hour * 60 + minute });
  };
  const choice = (label: string, act: () => void) => (
    <Button variant="default" justify="flex-start" disabled={pending} onClick={act}>
      {label}
    </Button>
  );
  return (
    <Dialog
      onClose={onClose}
      title={
        <bdi className="wrapping" data-dialog-item={item.no}>
          {item.title}
        </bdi>
      }
    >
      {problem && (
        <Alert color="red" role="alert">
          {t(problem)}
        </Alert>
      )}
      {item.archived || isSnoozed ? (
        <Button
          leftSection={<Inbox aria-hidden size={18} />}
          disabled={pending}
          onClick={() =>
            void attempt(() => (item.archived ? restoreItem(portal, t, item) : endSnooze(portal, t, item, false)))
          }
        >
          {t('toInbox')}
        </Button>
      ) : waits ? (
        <Text className="fine-print">{t('to-confirm')}</Text>
      ) : (
        <Button
          variant="default"
          leftSection={<Archive aria-hidden size={18} />}
          disabled={pending}
          onClick={() => void attempt(() => archiveItem(portal, t, item))}
        >
          {t('archive')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={item.read ? <Mail aria-hidden size={18} /> : <MailOpen aria-hidden size={18} />}
        disabled={pending}
        onClick={() =>
          void attempt(async () => ((await storeMark(portal, { no: item.no, read: !item.read })) ? null : 'failed'))
        }
      >
        {item.read ? inbox('markUnread') : inbox('markRead')}
      </Button>
      <Stack gap="xs" role="group" aria-label={t('remind')}>
        <Group gap={6}>
          <AlarmClock aria-hidden size={18} />
          <Text fw={600}>{t('remind')}</Text>
        </Group>
        {waits && <Text className="fine-print">{t('stillToConfirm')}</Text>}
        {choice(t('hour'), () => remind('hour'))}
        {minuteOfDay(now, zone) < evening && choice(t('evening', { time: asClock(evening) }), () => remind('evening'))}
        {choice(t('morning', { time: asClock(morning) }), () => remind('morning'))}
        {!own && choice(t('own'), () => setOwn(true))}
        {own && (
          <form onSubmit={submit}>
            <Group gap="xs" align="flex-end" wrap="wrap">
              <TextInput
                type="date"
                name="day"
                label={t('day')}
                required
                defaultValue={new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(now)}
              />
              <TextInput type="time" name="time" label={t('time')} required />
              <Button type="submit" disabled={pending}>
                {t('submit')}
              </Button>
            </Group>
          </form>
        )}
        {zone !== companyZone && (
          <Text size="xs" c="dimmed">
            {t('zone', { zone })}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
}
