import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { useKeyActivity } from '#app/owner/keys/activity/key-activity.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { dayMs, serviceNow } from '#app/ui/text/times.ts';
import type { KeyOverview } from '#server/keys/key-overview.ts';

type Props = { apiKey: Pick<KeyOverview, 'id' | 'name' | 'lastUse' | 'requests'>; onClose: () => void };

/** The dialog that revokes a key. Asks for its name if it was used in the last 24 hours. */
export function RevokeKey({ apiKey, onClose }: Props) {
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
