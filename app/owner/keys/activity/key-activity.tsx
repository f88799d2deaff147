'use client';

import { Alert, Group, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useOperationName, useOriginText } from '#app/owner/keys/activity/call.tsx';
import {
  type KeyActivityState,
  type LiveRejectedRequest,
  useKeyActivity,
} from '#app/owner/keys/activity/use-key-activity.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { KeyCall, KeyOverview } from '#server/keys/key-overview.ts';

const hintAfterMs = 30_000;

/** The live activity of a key: its last request, and rejected requests with reason and remedy. */
export function KeyActivity({ id, baseUrl }: { id: number; baseUrl: string }) {
  const t = useTranslations('keys.live');
  const { activity, problem } = useKeyActivity(id);
  const [isLate, setIsLate] = useState(false);
  useTimeout(() => setIsLate(true), hintAfterMs, { autoInvoke: true });
  const hasNoCalls = !activity?.lastUse && !activity?.refusals.length;
  return (
    <section aria-label={t('title')}>
      <Announcement activity={activity} />
      <Stack gap="xs">
        {activity?.revokedAt && <Alert color="gray">{t('revoked')}</Alert>}
        {activity?.lastUse && <Received call={activity.lastUse} now={activity.now} />}
        {!activity?.lastUse && !activity?.revokedAt && (
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" type="dots" aria-hidden />
            <Text>{t('waiting')}</Text>
          </Group>
        )}
        {activity?.refusals.map((refusal) => (
          <Refusal key={refusal.id} refusal={refusal} now={activity.now} />
        ))}
        {isLate && hasNoCalls && (
          <Alert color="blue" title={t('hintTitle')} role="note" className="wrapping">
            {t('hint', { url: `${baseUrl}/api/v1/notif.php` })}
          </Alert>
        )}
        {problem && (
          <Text size="sm" c="error" role="alert">
            {t(problem)}
          </Text>
        )}
      </Stack>
    </section>
  );
}

// A screen reader announces each event once, but not the elapsed seconds that change all the time.
function Announcement({ activity }: { activity?: KeyActivityState }) {
  const t = useTranslations('keys.live');
  const newest = activity?.refusals[0];
  const refusedLast = newest && (!activity.lastUse || newest.at > activity.lastUse.at);
  return (
    <VisuallyHidden role="status">
      {refusedLast ? `${newest.reason}. ${newest.cure}` : activity?.lastUse && t('first')}
    </VisuallyHidden>
  );
}

function useAgo(now: Date): (at: Date) => string {
  const format = useFormatter();
  return (at) => format.relativeTime(at, { now: at > now ? at : now });
}

function Received({ call, now }: { call: KeyCall; now: Date }) {
  const t = useTranslations('keys.live');
  const ago = useAgo(now);
  const operationName = useOperationName();
  const originOf = useOriginText();
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" data-live="received">
      <CircleCheck aria-hidden size={22} color="var(--mantine-color-green-7)" style={{ flexShrink: 0 }} />
      <Text className="wrapping">
        {t('received', { what: operationName(call.operation), ago: ago(call.at), from: originOf(call) })}
      </Text>
    </Group>
  );
}

function Refusal({ refusal, now }: { refusal: LiveRejectedRequest; now: Date }) {
  const t = useTranslations('keys.live');
  const ago = useAgo(now);
  const originOf = useOriginText();
  const { reason, cure, at, more } = refusal;
  return (
    <Alert
      color="orange"
      role="note"
      icon={<TriangleAlert aria-hidden />}
      title={reason}
      className="wrapping"
      data-live="refused"
    >
      {cure}
      <div className="fine-print" style={{ color: 'inherit' }}>
        {ago(at)} {originOf(refusal)} {more > 0 && t('more', { count: more })}
      </div>
    </Alert>
  );
}

type ActivityDialogProps = { apiKey: KeyOverview; baseUrl: string; onClose: () => void };

/** The dialog with the live activity of a key. Does not show the key's text. */
export function ActivityDialog({ apiKey, baseUrl, onClose }: ActivityDialogProps) {
  const t = useTranslations('keys');
  return (
    <Dialog onClose={onClose} title={<bdi>{t('watchTitle', { name: apiKey.name })}</bdi>}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('watchLead')}
        </Text>
        <KeyActivity id={apiKey.id} baseUrl={baseUrl} />
      </Stack>
    </Dialog>
  );
}
