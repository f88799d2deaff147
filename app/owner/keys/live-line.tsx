'use client';

import { Alert, Group, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useOperationName, useOriginText } from '#app/owner/keys/key-words.ts';
import { type LiveRefusal, useKeyWatch, type Watch } from '#app/owner/keys/use-key-watch.ts';

const hintAfterMs = 30_000;

/** What arrives with a key, as it arrives: the first request, later ones, and refusals in plain words with their cure. */
export function LiveLine({ id, baseUrl }: { id: number; baseUrl: string }) {
  const t = useTranslations('keys.live');
  const { watch, trouble } = useKeyWatch(id);
  const [late, setLate] = useState(false);
  useTimeout(() => setLate(true), hintAfterMs, { autoInvoke: true });
  const quiet = !watch?.lastUse && !watch?.refusals.length;
  return (
    <section aria-label={t('title')}>
      <Announcement watch={watch} />
      <Stack gap="xs">
        {watch?.revokedAt && <Alert color="gray">{t('revoked')}</Alert>}
        {watch?.lastUse && <Received watch={watch} call={watch.lastUse} />}
        {!watch?.lastUse && !watch?.revokedAt && (
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" type="dots" aria-hidden />
            <Text>{t('waiting')}</Text>
          </Group>
        )}
        {watch?.refusals.map((refusal) => (
          <Refusal key={refusal.id} refusal={refusal} now={watch.now} />
        ))}
        {late && quiet && (
          <Alert color="blue" title={t('hintTitle')} role="note" className="wrapping">
            {t('hint', { url: `${baseUrl}/api/v1/notif.php` })}
          </Alert>
        )}
        {trouble && (
          <Text size="sm" c="error" role="alert">
            {t(trouble)}
          </Text>
        )}
      </Stack>
    </section>
  );
}

// Read out once for each thing that happens; the seconds beside it go on counting silently.
function Announcement({ watch }: { watch?: Watch }) {
  const t = useTranslations('keys.live');
  const newest = watch?.refusals[0];
  const refusedLast = newest && (!watch.lastUse || newest.at > watch.lastUse.at);
  return (
    <VisuallyHidden role="status">
      {refusedLast ? `${newest.reason}. ${newest.cure}` : watch?.lastUse && t('first')}
    </VisuallyHidden>
  );
}

function useAgo(now: Date): (at: Date) => string {
  const format = useFormatter();
  return (at) => format.relativeTime(at, { now: at > now ? at : now });
}

function Received({ watch: { now }, call }: { watch: Watch; call: NonNullable<Watch['lastUse']> }) {
  const t = useTranslations('keys.live');
  const [ago, operationName, originOf] = [useAgo(now), useOperationName(), useOriginText()];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" data-live="received">
      <CircleCheck aria-hidden size={22} color="var(--mantine-color-green-7)" style={{ flexShrink: 0 }} />
      <Text className="wrapping">
        {t('received', { what: operationName(call.operation), ago: ago(call.at), from: originOf(call) })}
      </Text>
    </Group>
  );
}

function Refusal({ refusal, now }: { refusal: LiveRefusal; now: Date }) {
  const t = useTranslations('keys.live');
  const [ago, originOf] = [useAgo(now), useOriginText()];
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
      <div className="fine-print">
        {ago(at)} {originOf(refusal)} {more > 0 && t('more', { count: more })}
      </div>
    </Alert>
  );
}
