'use client';

import { ExternalLink, Volume2, VolumeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { BellWithPanel, SignedOutBell, usePageTells } from '#app/embed/bell-frame.tsx';
import { muteSound, unlockSound } from '#app/portal/live/sound/sound.ts';
import { applyMark, type ListedItem } from '#app/portal/live/store/mark-log.ts';
import { PortalProvider, usePortal, usePortalState, useSound } from '#app/portal/live/store/portal-context.tsx';
import type { InitialPortal } from '#app/portal/live/store/portal-state.ts';
import { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { Face } from '#app/portal/notification/entry-face.tsx';
import { itemAddress, waitsForConfirmation } from '#app/portal/notification/item.ts';
import { storeMark } from '#app/portal/notification/item-parts.tsx';
import { useRecordShown } from '#app/portal/notification/record-shown.ts';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import type { FrameSecret } from '#server/accounts/sessions/bell-offer.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';

const maxCards = 3;
const cardMs = 10_000;
const listed = 20;

/** The bell of a signed-in employee: it listens, rings and pops up as the portal does. */
export function EmbeddedBell({ initial, frame }: { initial: InitialPortal; frame: FrameSecret }) {
  const [cards, setCards] = useState<Item[]>([]);
  const [portal] = useState(() => new PortalStore(initial));
  useEffect(() => {
    const remove = (numbers: number[]) => setCards((cards) => cards.filter(({ no }) => !numbers.includes(no)));
    portal.popUps = {
      show: (items) => setCards((cards) => [...items.toReversed(), ...cards].slice(0, maxCards)),
      moveAway: (items) => remove(items.map(({ no }) => no)),
      remove,
      replace: (items) => setCards((cards) => cards.map((card) => items.find(({ no }) => no === card.no) ?? card)),
      clear: () => setCards([]),
      // Not recorded here: the bell may be out of view. `useRecordShown` records what is visible.
      recordShown: () => {},
    };
    return portal.start();
  }, [portal]);
  return (
    <PortalProvider value={portal}>
      <LiveBell cards={cards} frame={frame} />
    </PortalProvider>
  );
}

function LiveBell({ cards, frame }: { cards: Item[]; frame: FrameSecret }) {
  const portal = usePortal();
  const t = useTranslations();
  const { unread, sessionEnded } = usePortalState();
  const sound = useSound();
  usePageTells('press', () => void unlockSound());
  if (sessionEnded) return <SignedOutBell {...frame} />;
  return (
    <>
      <div className="unseen" role="status" data-sound={sound}>
        {cards[0] && t('bell.announce', { title: withoutMarks(cards[0].title) })}
      </div>
      <BellWithPanel
        count={unread.count}
        cards={cards.length > 0 && <Cards cards={cards} />}
        silence={sound && sound !== 'on' ? t(`sound.${sound}`) : undefined}
        onOpen={() => portal.popUps.clear()}
        panel={<Panel />}
      />
    </>
  );
}

function Cards({ cards }: { cards: Item[] }) {
  const t = useTranslations('bell');
  const { popUps } = usePortal();
  const list = useRecordShown<HTMLUListElement>(cards, (numbers) => setTimeout(() => popUps.remove(numbers), cardMs));
  return (
    <div className="bell-cards">
      <h2 className="unseen">{t('show')}</h2>
      <ul ref={list} className="plain-list">
        {cards.map((item) => (
          <li key={item.no} className="entry" data-pop-up data-no={item.no} data-read={item.read}>
            <a href={itemAddress(item.no)} target="_blank" rel="noopener" className="entry-link" onClick={popUps.clear}>
              <Face item={item} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

// The newest notifications, read when the panel opens and when one arrives.
function Panel() {
  const t = useTranslations();
  const sound = useSound();
  const portal = usePortal();
  const { arrived } = usePortalState();
  const [items, setItems] = useState<ListedItem[] | null>(null);
  const [failed, setFailed] = useState(false);
  const newest = arrived[0]?.no;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives changes the list
  useEffect(() => {
    const left = new AbortController();
    fetch(`/portal/inbox?limit=${listed}`, { cache: 'no-store', signal: left.signal })
      .then(async (response) => {
        const { items } = (await response.json()) as { items: Item[] };
        setItems(items);
        setFailed(false);
      })
      .catch(() => setFailed(!left.signal.aborted));
    return () => left.abort();
  }, [newest]);
  useEffect(() => portal.marks.follow((marked) => setItems((now) => now && applyMark(now, marked))), [portal]);
  const list = useRecordShown<HTMLUListElement>(items);
  const isMuted = sound === 'muted';
  return (
    <>
      <header>
        <h2>{t('inbox.title')}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t(isMuted ? 'sound.unmute' : 'sound.mute')}
          onClick={() => muteSound(!isMuted)}
        >
          {isMuted ? <VolumeOff size={20} /> : <Volume2 size={20} />}
        </button>
      </header>
      {(failed || items?.length === 0) && (
        <p className="dimmed" role="status">
          {t(failed ? 'embed.failed' : 'embed.nothing')}
        </p>
      )}
      <ul ref={list} className="plain-list">
        {items?.map((item) => (
          <Row key={item.no} item={item} />
        ))}
      </ul>
      <a href="/portal/notifications" target="_blank" rel="noopener" className="quiet-button bell-all">
        {t('bell.show')} <ExternalLink size={14} />
      </a>
    </>
  );
}

/** A notification that opens in its place. What changes more opens the portal: a foreign page is around. */
function Row({ item }: { item: ListedItem }) {
  const t = useTranslations('embed');
  const portal = usePortal();
  const isHidden = portal.state.preferences.hidePrivate && privateKinds.includes(item.kind);
  const mustConfirm = waitsForConfirmation(item);
  const open = (isOpen: boolean) => {
    if (isOpen && !item.read && !isHidden && !mustConfirm) void storeMark(portal, { no: item.no, read: true });
  };
  return (
    <li data-no={item.no} data-read={item.read} className="entry">
      <details onToggle={(event) => open(event.currentTarget.open)}>
        <summary className="entry-link">
          <Face item={item} />
        </summary>
        {!isHidden && (
          <p dir="auto" className="multiline wrapping">
            <MarkedText text={item.body} />
          </p>
        )}
        <a href={itemAddress(item.no)} target="_blank" rel="noopener" className="quiet-button bell-all">
          {t(mustConfirm ? (item.answers ? 'answerInPortal' : 'confirmInPortal') : 'openPortal')}{' '}
          <ExternalLink size={14} />
        </a>
      </details>
    </li>
  );
}
