'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { noteShownAction } from '#app/portal/actions.ts';
import { KindCounts } from '#app/portal/live/popups/kind-counts.tsx';
import { PopUpBody, PopUpLink, PopUpTitle } from '#app/portal/live/popups/pop-up-card.tsx';
import { type Card, Deck, idOf } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { Stage } from '#app/portal/live/popups/pop-up-turn.ts';
import { offerPrivacy } from '#app/portal/live/popups/privacy-offer.tsx';
import type { Portal } from '#app/portal/live/store/portal-store.ts';
import { mostCounted } from '#app/portal/live/store/unread-marks.ts';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import { type Kind, privateKinds } from '#server/notifications/kinds.ts';

const narrow = '(max-width: 767px)';

/** The pop-ups of this page: up to three one by one (two on a phone), more as one. */
export function usePopUps(portal: Portal): Stage {
  const t = useTranslations('bell');
  const deck = useRef(new Deck(() => portal.state.preferences.keepPopUps));
  useEffect(() => deck.current.pauseOnFocus(), []);
  return useMemo(() => {
    const { current } = deck;
    const toList = (id: string) => (
      <PopUpLink href="/portal/notifications" onFollow={() => current.dismiss(id)}>
        {t('show')}
      </PopUpLink>
    );
    const more = (count: number): Card => ({
      title: t('more', { count }),
      body: toList('more'),
      onGone: current.forgetMore,
    });
    return {
      show: (items) => {
        const count = current.makeRoom(items, matchMedia(narrow).matches ? 2 : 3);
        if (count > 0) {
          announce(t('more', { count }));
          return current.put('more', more(count));
        }
        current.dismiss('away');
        announce(items.map(({ title }) => t('announce', { title })).join('. '));
        for (const item of items) {
          current.put(idOf(item), {
            title: <PopUpTitle item={item} onFollow={() => current.dismiss(idOf(item))} />,
            body: <PopUpBody item={item} portal={portal} />,
          });
        }
        if (items.some(({ kind }) => privateKinds.includes(kind)))
          offerPrivacy(current, portal, () => announce(t('privacyOffer')));
      },
      withdraw: (items) => {
        for (const item of items) current.dismiss(idOf(item));
        current.dismiss('more');
      },
      remove: (numbers) => {
        for (const no of numbers) current.dismiss(idOf({ no }));
        const left = current.takeBack(numbers);
        if (left !== null) current.put('more', more(left));
      },
      seen: (items) => {
        const numbers = items.map(({ no }) => no).slice(-100);
        noteShownAction({ numbers }).then(
          (result) => portal.noteRefusal(result),
          () => {},
        );
      },
      clear: () => current.clear(),
      sumUp: () => {
        const summary = (count: number) => t('summary', { count });
        void sumUp(current, portal, { title: t('away'), summary, link: toList('away') });
      },
    };
  }, [t, portal]);
}

async function sumUp(
  deck: Deck,
  portal: Portal,
  { title, summary, link }: { title: string; summary: (count: number) => string; link: ReactNode },
): Promise<void> {
  const response = await fetch('/portal/inbox/unread').catch(() => null);
  const answer = response?.ok ? ((await response.json()) as { kinds: { kind: Kind; count: number }[] }) : { kinds: [] };
  const count = Math.min(portal.state.unread.count, mostCounted);
  announce(`${title}. ${summary(count)}`);
  deck.put('away', { title, body: <KindCounts count={count} kinds={answer.kinds} link={link} /> });
}
