import { Button, NativeSelect, Stack, Switch } from '@mantine/core';
import { AlarmClock, Archive, Inbox } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { asSender, asSenderText, pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/notification/actions.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import type { InboxFilter } from '#server/inbox/inbox.ts';

type Sender = { id: string; name: string; isManual: boolean };

export function InboxMore({ filter, onClose }: { filter: InboxFilter; onClose: () => void }) {
  const t = useTranslations('archiveAndSnooze');
  const router = useRouter();
  const portal = usePortal();
  const { preferences } = usePortalState();
  const [senders, setSenders] = useState<Sender[]>([]);
  const { run, pending } = useAction(changePreferencesAction, (changed) => {
    portal.setPreferences(changed);
    router.refresh();
  });
  useEffect(() => {
    const asked = new AbortController();
    fetch('/portal/inbox/senders', { signal: asked.signal })
      .then(async (response) => {
        if (response.ok) setSenders(((await response.json()) as { senders: Sender[] }).senders);
      })
      .catch(() => {});
    return () => asked.abort();
  }, []);
  const all = { ...filter, unread: undefined, toConfirm: undefined, place: undefined };
  const place = (to: InboxFilter['place'], icon: ReactNode, text: string) => (
    <Button
      component={PageLink}
      href={pageAddress({ ...all, place: to })}
      variant={filter.place === to ? 'light' : 'default'}
      aria-current={filter.place === to ? 'page' : undefined}
      justify="flex-start"
      leftSection={icon}
      onClick={onClose}
    >
      {text}
    </Button>
  );
  return (
    <Dialog onClose={onClose} title={t('more')}>
      <Stack gap="xs" component="nav" aria-label={t('places')}>
        {place(undefined, <Inbox aria-hidden size={18} />, t('inbox'))}
        {place('snoozed', <AlarmClock aria-hidden size={18} />, t('snoozedPlace'))}
        {place('archive', <Archive aria-hidden size={18} />, t('archivePlace'))}
      </Stack>
      <NativeSelect
        label={t('sender')}
        value={filter.sender ? asSenderText(filter.sender) : ''}
        onChange={({ currentTarget: { value } }) => {
          router.push(pageAddress({ ...filter, sender: value ? asSender(value) : undefined }));
          onClose();
        }}
      >
        <option value="">{t('everySender')}</option>
        {senders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <Switch
        label={t('unreadFirst')}
        checked={preferences.unreadFirst}
        disabled={pending}
        onChange={({ currentTarget: { checked } }) => void run({ unreadFirst: checked })}
      />
    </Dialog>
  );
}
