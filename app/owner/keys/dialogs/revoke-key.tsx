'use client';

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { useKeyActivity } from '#app/owner/keys/activity/use-key-activity.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The dialog that revokes a key. Asks for its name if it was used in the last 24 hours. */
export function RevokeKey({
  apiKey,
  onClose,
}: {
  apiKey: Pick<KeyOverview, 'id' | 'name' | 'lastUse' | 'requests'>;
  onClose: () => void;
}) {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const router = useRouter();
  const [typed, setTyped] = useState<string>();
  const { activity } = useKeyActivity(apiKey.id);
  const { lastUse, requests } = activity ?? apiKey;
  const inUse = lastUse !== null && Date.now() - new Date(lastUse.at).getTime() < dayMs;
  const { run, pending, problems, dialog } = useReauthenticatedAction(revokeKeyAction, onClose, {
    revokeGone: t('revokeGone'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    setTyped(name);
    if (!inUse || name === apiKey.name) void run({ id: apiKey.id }).then(() => router.refresh());
  };
  const wrong = inUse && typed !== undefined && typed !== apiKey.name;
  return (
    <Dialog onClose={onClose} title={<bdi>{t('revokeTitle', { name: apiKey.name })}</bdi>}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t('revokeText')}</Text>
          {inUse && <Alert color="orange">{t('revokeInUse')}</Alert>}
          <LastUse lastUse={lastUse} requests={requests} />
          {inUse && (
            <TextInput
              name="name"
              label={t('revokeType', { name: apiKey.name })}
              error={wrong && t('revokeTypeWrong')}
              autoComplete="off"
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {form('cancel')}
            </Button>
            <Button type="submit" color="red" loading={pending}>
              {t('revoke')}
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Dialog>
  );
}

function LastUse({ lastUse, requests }: Pick<KeyOverview, 'lastUse' | 'requests'>) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  return (
    <Text size="sm" c="dimmed" className="wrapping">
      {lastUse
        ? t.rich('revokeUsedRich', { when: () => <TimeAgo at={lastUse.at} />, from: originOf(lastUse) })
        : t('revokeUnused')}{' '}
      {lastUse && t('revokeRequests', { count: requests })}
    </Text>
  );
}
