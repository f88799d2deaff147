import { Alert, Group, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInterval, useTimeout } from '@mantine/hooks';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { useOriginText } from '#app/owner/keys/activity/origin-text.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { dayMs, serviceNow } from '#app/ui/text/times.ts';
import type { KeyOverview, KeyWatch } from '#server/keys/key-overview.ts';
import type { RejectedRequest } from '#server/keys/rejected-requests.ts';

const operations = ['ping', 'karyawan', 'send'] as const;

/** The live activity of a key: its last request, and rejected requests with reason and remedy. */
export function KeyActivity({ id, baseUrl }: { id: number; baseUrl: string }) {
  const t = useTranslations('keys.live');
  const operationText = useTranslations('keys.operation');
  const { activity, problem } = useKeyActivity(id);
  const originOf = useOriginText();
  const format = useFormatter();
  const now = activity?.now ?? new Date();
  const ago = (time: Date) => format.relativeTime(time, { now: time > now ? time : now });
  const [isLate, setIsLate] = useState(false);
  useTimeout(() => setIsLate(true), 30_000, { autoInvoke: true });
  const lastUse = activity?.lastUse;
  const newest = activity?.refusals[0];
  // A screen reader announces each event once, but not the elapsed seconds that change all the time.
  const refusedLast = newest && (!lastUse || newest.at > lastUse.at);
  return (
    <section aria-label={t('title')}>
      <VisuallyHidden role="status">
        {refusedLast ? `${newest.reason}. ${newest.cure}` : lastUse && t('first')}
      </VisuallyHidden>
      <Stack gap="xs">
        {activity?.revokedAt && <Alert color="gray">{t('revoked')}</Alert>}
        {lastUse && (
          <Group gap="sm" wrap="nowrap" align="flex-start" data-live="received">
            <CircleCheck size={22} color="var(--mantine-color-green-7)" style={{ flexShrink: 0 }} />
            <Text className="wrapping">
              {t('received', {
                what: operationText(operations.find((name) => name === lastUse.operation) ?? 'other'),
                ago: ago(lastUse.at),
                from: originOf(lastUse),
              })}
            </Text>
          </Group>
        )}
        {!lastUse && !activity?.revokedAt && (
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" type="dots" aria-hidden />
            <Text>{t('waiting')}</Text>
          </Group>
        )}
        {activity?.refusals.map((refusal) => (
          <Alert
            key={refusal.id}
            color="orange"
            role="note"
            icon={<TriangleAlert size={24} />}
            title={refusal.reason}
            className="wrapping"
            data-live="refused"
          >
            {refusal.cure}
            <div className="fine-print" style={{ color: 'inherit' }}>
              {ago(refusal.at)} {originOf(refusal)}{' '}
              <span>{refusal.more > 0 && t('more', { count: refusal.more })}</span>
            </div>
          </Alert>
        ))}
        {isLate && !lastUse && !newest && (
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

type DialogProps = { apiKey: KeyOverview; baseUrl: string; onClose: () => void };

export function ActivityDialog({ apiKey, baseUrl, onClose }: DialogProps) {
  const t = useTranslations('keys');
  return (
    <Dialog onClose={onClose} title={<bdi>{t('watchTitle', { name: apiKey.name })}</bdi>}>
      <Text className="fine-print">{t('watchLead')}</Text>
      <KeyActivity id={apiKey.id} baseUrl={baseUrl} />
    </Dialog>
  );
}

type KeyActivityState = Omit<KeyWatch, 'refusals'> & {
  refusals: (RejectedRequest & { reason: string; cure: string })[];
};

// `offline`: the last poll failed, and polling continues. `gone`: the key does not exist.
type ActivityUpdate = { activity?: KeyActivityState; problem?: 'offline' | 'ended' | 'gone' };

/** Polls the activity of a key once a second while the page is visible, for at most one hour. */
function useKeyActivity(id: number): ActivityUpdate {
  const [state, setState] = useState<ActivityUpdate>({});
  const poll = useEffectEvent(async () => {
    if (document.hidden) return;
    const update = await fetchActivity(id);
    setState((before) => ({ activity: update.activity ?? before.activity, ...update }));
    if (update.problem === 'ended' || update.problem === 'gone') stop();
  });
  const { stop } = useInterval(() => void poll(), 1000, { autoInvoke: true });
  useTimeout(stop, 60 * 60 * 1000, { autoInvoke: true });
  useEffect(() => void poll(), []);
  return state;
}

async function fetchActivity(id: number): Promise<ActivityUpdate> {
  try {
    const response = await fetch(`/owner/keys/${id}/watch`, { cache: 'no-store' });
    if (response.ok) return { activity: JSON.parse(await response.text(), withDates), problem: undefined };
    if (response.status === 401) return { problem: 'ended' };
    return { problem: response.status === 404 ? 'gone' : 'offline' };
  } catch {
    return { problem: 'offline' };
  }
}

const withDates = (name: string, value: unknown) =>
  typeof value === 'string' && ['now', 'revokedAt', 'at'].includes(name) ? new Date(value) : value;

type RevokeProps = { apiKey: Pick<KeyOverview, 'id' | 'name' | 'lastUse' | 'requests'>; onClose: () => void };

/** The dialog that revokes a key. Asks for its name if it was used in the last 24 hours. */
export function RevokeKey({ apiKey, onClose }: RevokeProps) {
  const t = useTranslations('keys');
  const { activity } = useKeyActivity(apiKey.id);
  const originOf = useOriginText();
  const { lastUse, requests } = activity ?? apiKey;
  const inUse = lastUse !== null && serviceNow().getTime() - new Date(lastUse.at).getTime() < dayMs;
  const revoke = async ({ name = '' }: Record<string, string>) => {
    if (inUse && name.trim() !== apiKey.name) return { problems: { name: 'revokeTypeWrong' } };
    return revokeKeyAction({ id: apiKey.id });
  };
  return (
    <FormDialog
      title={<bdi>{t('revokeTitle', { name: apiKey.name })}</bdi>}
      submit={t('revoke')}
      isDestructive
      action={revoke}
      sentences={{ revokeGone: t('revokeGone'), revokeTypeWrong: t('revokeTypeWrong') }}
      onClose={onClose}
    >
      <Text>{t('revokeText')}</Text>
      {inUse && <Alert color="orange">{t('revokeInUse')}</Alert>}
      <Text className="fine-print">
        {lastUse ? (
          <span>
            {t.rich('revokeUsedRich', { when: () => <TimeAgo at={lastUse.at} />, from: originOf(lastUse) })}{' '}
            {t('revokeRequests', { count: requests })}
          </span>
        ) : (
          <span>{t('revokeUnused')}</span>
        )}
      </Text>
      {inUse && <TextField name="name" label={t('revokeType', { name: apiKey.name })} required={false} />}
    </FormDialog>
  );
}
