'use client';

import { Anchor, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect } from 'react';
import { toast } from 'sonner';
import { markReadAction } from '#app/portal/actions.ts';
import { Confirm, ReminderMark } from '#app/portal/confirm.tsx';
import { ItemLink } from '#app/portal/item-link.tsx';
import { KindIcon } from '#app/portal/kind-icon.tsx';
import { idOf } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { Portal } from '#app/portal/live/store/portal-store.ts';
import { PrivateBody } from '#app/portal/private-body.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/** A link within a pop-up that leads to another page of the portal. */
export function PopUpLink({ href, onFollow, children }: { href: string; onFollow?: () => void; children: ReactNode }) {
  return (
    <Anchor className="pop-up-link" component={PageLink} href={href} size="sm" onClick={onFollow}>
      {children}
    </Anchor>
  );
}

/** The title of a notification's pop-up, which leads to the notification itself. */
export function PopUpTitle({ item, onFollow }: { item: Item; onFollow: () => void }) {
  return (
    <Anchor
      component={PageLink}
      href={`/portal/notifications#n${item.no}`}
      className="pop-up-title"
      c="inherit"
      onClick={onFollow}
    >
      <KindIcon kind={item.kind} size={18} />
      <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping">
        <ReminderMark item={item} />
        {item.title}
      </Text>
    </Anchor>
  );
}

/** What a notification's pop-up says and offers. */
export function PopUpBody({ item, portal }: { item: Item; portal: Portal }) {
  const t = useTranslations();
  const markRead = async () => {
    const result = await markReadAction({ no: item.no, read: true }).catch(() => null);
    if (result && 'value' in result) portal.noteMarked({ no: item.no, read: true }, result.value.unread, 'everywhere');
    else if (result) portal.noteRefusal(result);
  };
  return (
    <>
      <PrivateBody
        item={item}
        hidden={portal.state.preferences.hidePrivate ?? false}
        lines={4}
        onOpen={() => void markRead()}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t(`inbox.kind.${item.kind}`)} ·{' '}
        <bdi>{t(item.byHand ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi>
      </Text>
      <ConfirmInPopUp item={item} portal={portal} />
      <Group gap="xl">
        {item.href && (
          <ItemLink href={item.href} read={markRead}>
            {t('bell.open')}
          </ItemLink>
        )}
        <PopUpLink href="/portal/notifications" onFollow={() => toast.dismiss(idOf(item))}>
          {t('bell.show')}
        </PopUpLink>
      </Group>
    </>
  );
}

// The toaster keeps what it is given; that it was confirmed, here or elsewhere, closes it.
function ConfirmInPopUp({ item, portal }: { item: Item; portal: Portal }) {
  useEffect(
    () =>
      portal.onMarked((marked) => {
        if ('confirmed' in marked && marked.confirmed === (item.remindsNo ?? item.no)) toast.dismiss(idOf(item));
      }),
    [portal, item],
  );
  return <Confirm item={item} short />;
}
