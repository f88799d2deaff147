'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { PopUpBody, PopUpLink, PopUpTitle } from '#app/portal/live/popups/pop-up-card.tsx';
import { PopUpDeck, popUpId } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { PopUps } from '#app/portal/live/store/pop-up-turn.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import { maxUnread } from '#app/portal/notification/unread-count.ts';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Kind } from '#server/notifications/kinds.ts';

const KindCounts = whenNeeded(
  () => import('#app/portal/live/popups/kind-counts.tsx').then(({ KindCounts }) => KindCounts),
  { height: 96 },
);

const phone = '(max-width: 767px)';
const maxRecorded = 100;
const awayId = 'away';

/**
 * Returns the pop-ups of this page: up to three single ones (one on a phone), more as one summary.
 */
export function usePopUps(portal: PortalStore): PopUps {
  const t = useTranslations('bell');
  const [deck] = useState(() => new PopUpDeck(() => portal.state.preferences.keepPopUps));
  useEffect(() => deck.handleKeyboard(), [deck]);
  return useMemo(() => {
    const linkToList = (onFollow: () => void) => (
      <PopUpLink href="/portal/notifications" onFollow={onFollow}>
        {t('show')}
      </PopUpLink>
    );
    const openSummary = (count: number) =>
      deck.openSummary({
        title: t('more', { count }),
        body: linkToList(deck.closeSummary),
        atFoot: matchMedia(phone).matches,
      });
    const openCard = (item: Item) =>
      deck.open(popUpId(item), {
        title: <PopUpTitle item={item} onFollow={() => deck.close(popUpId(item))} />,
        body: <PopUpBody item={item} portal={portal} />,
      });
    return {
      replace: (items) => items.filter((item) => deck.has(popUpId(item))).forEach(openCard),
      show: (items) => {
        const count = deck.makeRoom(items, matchMedia(phone).matches ? 1 : 3);
        deck.close(awayId);
        if (count > 0) {
          announce(t('more', { count }));
          return openSummary(count);
        }
        announce(items.map(({ title }) => t('announce', { title })).join('. '));
        for (const item of items) openCard(item);
      },
      moveAway: (items) => {
        for (const item of items) deck.close(popUpId(item));
        deck.closeSummary();
      },
      remove: (numbers) => {
        for (const no of numbers) deck.close(popUpId({ no }));
        const count = deck.removeFromSummary(numbers);
        if (count !== null) openSummary(count);
      },
      recordShown: (items) => {
        const numbers = items.map(({ no }) => no).slice(-maxRecorded);
        recordShownAction({ numbers }).then(
          (result) => portal.checkSession(result),
          () => {},
        );
      },
      clear: () => deck.clear(),
      sumUp: () => {
        const summary = (count: number) => t('summary', { count });
        void sumUp(deck, portal, { title: t('away'), summary, link: linkToList(() => deck.close(awayId)) });
      },
    };
  }, [t, portal, deck]);
}

async function sumUp(
  deck: PopUpDeck,
  portal: PortalStore,
  { title, summary, link }: { title: string; summary: (count: number) => string; link: ReactNode },
): Promise<void> {
  const response = await fetch('/portal/inbox/unread').catch(() => null);
  const answer = response?.ok ? ((await response.json()) as { kinds: { kind: Kind; count: number }[] }) : { kinds: [] };
  const count = Math.min(portal.state.unread.count, maxUnread);
  announce(`${title}. ${summary(count)}`);
  deck.open(awayId, {
    title,
    atFoot: matchMedia(phone).matches,
    body: <KindCounts count={count} kinds={answer.kinds} link={link} />,
  });
}
