import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { useKeyActivity } from '#app/owner/keys/activity/key-activity.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { serviceNow } from '#app/ui/text/service-time.ts';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Props = { apiKey: Pick<KeyOverview, 'id' | 'name' | 'lastUse' | 'requests'>; onClose: () => void };

/** The dialog that revokes a key. Asks for its name if it was used in the last 24 hours. */
export function RevokeKey({ apiKey, onClose }: Props) {
  const t = useTranslations('keys');
  const [typed, setTyped] = useState<string>();
  const { activity } = useKeyActivity(apiKey.id);
  const originOf = useOriginText();
  const { lastUse, requests } = activity ?? apiKey;
  const inUse = lastUse !== null && serviceNow().getTime() - new Date(lastUse.at).getTime() < dayMs;
  const { run, pending, problems } = useAction(revokeKeyAction, onClose, {
    revokeGone: t('revokeGone'),
  });
  const submit = (fields: Record<string, string>) => {
    const name = fields.name?.trim() ?? '';
    setTyped(name);
    if (!inUse || name === apiKey.name) void run({ id: apiKey.id });
  };
  const wrong = inUse && typed !== undefined && typed !== apiKey.name;
  return (
    <Dialog onClose={onClose} title={<bdi>{t('revokeTitle', { name: apiKey.name })}</bdi>}>
      <Form problems={problems} onSubmit={submit}>
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
        {inUse && (
          <TextField
            name="name"
            label={t('revokeType', { name: apiKey.name })}
            error={wrong && t('revokeTypeWrong')}
            required={false}
          />
        )}
        <FormButtons submit={t('revoke')} pending={pending} isDestructive onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
