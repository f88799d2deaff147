'use client';

import { Anchor, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect } from 'react';
import { toast } from 'sonner';
import { popUpId } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { Confirm, CorrectedMark, ReminderMark } from '#app/portal/notification/confirm.tsx';
import { itemAddress } from '#app/portal/notification/item-address.ts';
import { ItemLink } from '#app/portal/notification/item-link.tsx';
import { KindIcon } from '#app/portal/notification/kind-icon.tsx';
import { PrivateBody } from '#app/portal/notification/private-body.tsx';
import { storeMark } from '#app/portal/notification/store-mark.ts';
import { PageLink } from '#app/ui/text/page-link.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/** A link of a pop-up to another page of the portal. */
export function PopUpLink({ href, onFollow, children }: { href: string; onFollow?: () => void; children: ReactNode }) {
  return (
    <Anchor className="pop-up-link" component={PageLink} href={href} size="sm" onClick={onFollow}>
      {children}
    </Anchor>
  );
}

/** The title of a notification's pop-up. It opens the notification; the whole pop-up is its target. */
export function PopUpTitle({ item, onFollow }: { item: Item; onFollow: () => void }) {
  return (
    <Anchor component={PageLink} href={itemAddress(item.no)} className="pop-up-title" c="inherit" onClick={onFollow}>
      <KindIcon kind={item.kind} size={18} />
      <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping">
        <ReminderMark item={item} />
        {item.title}
        <CorrectedMark item={item} />
      </Text>
    </Anchor>
  );
}

/** The text of a notification's pop-up, its link and its buttons. */
export function PopUpBody({ item, portal }: { item: Item; portal: PortalStore }) {
  const t = useTranslations();
  const markRead = () => storeMark(portal, { no: item.no, read: true });
  return (
    <>
      <PrivateBody item={item} hidden={portal.state.preferences.hidePrivate} lines={4} onOpen={() => void markRead()} />
      <Text size="xs" c="dimmed" mt={4}>
        {t(`inbox.kind.${item.kind}`)} ·{' '}
        <bdi>{t(item.byHand ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi>
      </Text>
      <ConfirmInPopUp item={item} portal={portal} />
      {item.href && (
        <ItemLink href={item.href} read={markRead}>
          {t('bell.open')}
        </ItemLink>
      )}
    </>
  );
}

// A toast does not render again with a changed item. So the pop-up closes when the item is
// confirmed in any tab.
function ConfirmInPopUp({ item, portal }: { item: Item; portal: PortalStore }) {
  useEffect(
    () =>
      portal.onMarked((marked) => {
        if ('confirmed' in marked && marked.confirmed === (item.remindsNo ?? item.no)) toast.dismiss(popUpId(item));
      }),
    [portal, item],
  );
  return <Confirm item={item} short />;
}
