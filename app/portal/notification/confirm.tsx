'use client';

import { Button, Group, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { confirmAction } from '#app/portal/notification/actions.ts';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/**
 * The confirmation of a notification that asks for one: its button, or when it was confirmed. A
 * reminder confirms the notification that it reminds of. `short` leaves out what the place says.
 */
export function Confirm({ item, short = false }: { item: Item; short?: boolean }) {
  const t = useTranslations('mustRead');
  const confirm = useConfirm(item);
  if (!item.mustConfirm) return null;
  if (item.confirmedAt)
    return (
      <Group gap={6} mt={6} wrap="nowrap" c="dimmed" data-confirmed>
        <BadgeCheck aria-hidden size={18} />
        <Text size="sm">
          {t('confirmed')} <TimeAgo at={item.confirmedAt} />
        </Text>
      </Group>
    );
  return (
    <Group gap="sm" mt={8}>
      {!short && <span className="chip">{t('waits')}</span>}
      <Button
        size="sm"
        loading={confirm.pending}
        aria-label={t('confirmNamed', { title: item.title })}
        onClick={() => void confirm.run()}
      >
        {t('confirm')}
      </Button>
      {confirm.failed && (
        <Text size="sm" c="red.8" role="alert">
          {t('failed')}
        </Text>
      )}
    </Group>
  );
}

function useConfirm({ no, remindsNo }: Item) {
  const t = useTranslations('mustRead');
  const portal = usePortal();
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);
  const confirmed = remindsNo ?? no;
  const run = async () => {
    setPending(true);
    const result = await confirmAction({ no: confirmed }).catch(() => null);
    setPending(false);
    setFailed(!result || 'problems' in result);
    if (!result) return;
    if ('problems' in result) return portal.checkSession(result);
    portal.recordMarked({ confirmed, at: result.value.confirmedAt }, result.value.unread);
    announce(t('thanks'));
  };
  return { run, pending, failed };
}

/** Marks a notification whose text its sender corrected. */
export function CorrectedMark({ item }: { item: Item }) {
  const t = useTranslations('mustRead');
  if (item.correctedAt === null) return null;
  return (
    <>
      {' '}
      <span className="corrected-mark">{t('corrected')}</span>
    </>
  );
}

/** Marks a notification that reminds of an earlier one. */
export function ReminderMark({ item }: { item: Item }) {
  const t = useTranslations('mustRead');
  return item.remindsNo === null ? null : <>{t('reminder')}: </>;
}
