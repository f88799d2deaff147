import { Anchor, Button, Text } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import { PopUpDeck, popUpId } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { PopUps } from '#app/portal/live/store/pop-up-turn.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import { itemAddress } from '#app/portal/notification/item.ts';
import { Confirm, CorrectedMark, KindIcon, OpensAt, ReminderMark } from '#app/portal/notification/item-parts.tsx';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';

const phone = '(max-width: 767px)';
const maxRecorded = 100;
const confirmedMs = 4000;

// The list says itself how many are new.
const isFirstPage = () => location.pathname === '/portal/notifications' && !/[?&](?!open=)/.test(location.search);

/**
 * Up to three single pop-ups (one on a phone), more as one summary: a line in the list on the first
 * page, a pop-up elsewhere.
 */
export function usePopUps(portal: PortalStore): PopUps {
  const t = useTranslations('bell');
  const [deck] = useState(() => new PopUpDeck(() => portal.state.preferences.keepPopUps));
  useEffect(() => deck.handleKeyboard(), [deck]);
  return useMemo(() => {
    const linkToList = (onFollow: () => void) => (
      <Anchor className="pop-up-link" component={PageLink} href="/portal/notifications" size="sm" onClick={onFollow}>
        {t('show')}
      </Anchor>
    );
    const openSummary = (count: number) =>
      deck.openSummary({
        title: t('more', { count }),
        body: linkToList(deck.closeSummary),
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
        if (count > 0) {
          announce(t('more', { count }));
          return isFirstPage() ? deck.clear() : openSummary(count);
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
      },
      recordShown: (items) => {
        const numbers = items.map(({ no }) => no).slice(-maxRecorded);
        recordShownAction({ numbers }).then(
          (result) => portal.checkSession(result),
          () => {},
        );
      },
      clear: () => deck.clear(),
    };
  }, [t, portal, deck]);
}

/** The title of a notification's pop-up. It opens the notification; the whole pop-up is its target. */
function PopUpTitle({ item, onFollow }: { item: Item; onFollow: () => void }) {
  return (
    <Anchor component={PageLink} href={itemAddress(item.no)} className="pop-up-title" c="inherit" onClick={onFollow}>
      <KindIcon kind={item.kind} size={18} />
      <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping" data-text>
        <ReminderMark item={item} />
        {item.title}
        <CorrectedMark item={item} />
      </Text>
    </Anchor>
  );
}

function PopUpBody({ item, portal }: { item: Item; portal: PortalStore }) {
  const t = useTranslations();
  const hidden = portal.state.preferences.hidePrivate && privateKinds.includes(item.kind);
  return (
    <>
      {hidden ? (
        <Text size="sm" c="dimmed" m={0} mt={2}>
          <EyeOff aria-hidden size={14} /> {t('inbox.hidden')}
        </Text>
      ) : (
        <Text component="p" dir="auto" size="sm" m={0} mt={2} className="multiline wrapping" lineClamp={4} data-text>
          {item.body}
        </Text>
      )}
      {item.mustConfirm && <ConfirmInPopUp {...{ item, portal, hidden }} />}
      <Text size="xs" c="dimmed" mt={4}>
        {t(`inbox.kind.${item.kind}`)} ·{' '}
        <bdi>{t(item.isManual ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi>
        <OpensAt item={item} linkBase={portal.linkBase} />
      </Text>
    </>
  );
}

// A toast does not render again with a changed item. Confirmed in any tab, it stays for a moment, so
// that no other pop-up slides under the finger. Nobody confirms what was not shown: a hidden text, or
// one that is cut off, is opened first.
function ConfirmInPopUp({ item, portal, hidden }: { item: Item; portal: PortalStore; hidden: boolean }) {
  const t = useTranslations('mustRead');
  const [confirmedAt, setConfirmedAt] = useState(item.confirmedAt);
  const place = useRef<HTMLDivElement>(null);
  const isWhole = useIsWhole(place, item);
  useEffect(
    () =>
      portal.marks.follow((marked) => {
        if (!('confirmed' in marked) || marked.confirmed !== (item.remindsNo ?? item.no)) return;
        setConfirmedAt(marked.at);
        setTimeout(() => toast.dismiss(popUpId(item)), confirmedMs);
      }),
    [portal, item],
  );
  return (
    <div ref={place}>
      {(isWhole && !hidden) || confirmedAt ? (
        <Confirm item={{ ...item, confirmedAt }} short />
      ) : (
        <Button
          component={PageLink}
          href={itemAddress(item.no)}
          size="sm"
          mt={8}
          onClick={() => toast.dismiss(popUpId(item))}
        >
          {t('readAll')}
        </Button>
      )}
    </div>
  );
}

/** Whether no line of a pop-up's title and text is cut off. */
function useIsWhole(place: RefObject<HTMLElement | null>, { title, body }: Item): boolean {
  const [isWhole, setIsWhole] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a corrected text may have the same size
  useEffect(() => {
    const texts = [...(place.current?.closest('[data-sonner-toast]')?.querySelectorAll('[data-text]') ?? [])];
    const measure = () => setIsWhole(texts.every((text) => text.scrollHeight <= text.clientHeight + 1));
    const observer = new ResizeObserver(measure);
    for (const text of texts) observer.observe(text);
    return () => observer.disconnect();
  }, [place, title, body]);
  return isWhole;
}
