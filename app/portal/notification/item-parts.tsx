'use client';

import { CalendarCheck, Gift, HandCoins, Image, Info, type LucideIcon, Timer, Wallet } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Mark } from '#app/portal/live/feed/channel.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { markReadAction } from '#app/portal/notification/actions.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import { findLinkTarget } from '#server/notifications/field-rules.ts';
import type { Kind } from '#server/notifications/kinds.ts';

export function CorrectedMark({ item }: { item: Pick<Item, 'correctedAt' | 'correctedBy'> }) {
  const t = useTranslations('mustRead');
  if (item.correctedAt === null) return null;
  return (
    <>
      {' '}
      <bdi className="entry-corrected">
        {item.correctedBy ? t('correctedBy', { name: item.correctedBy }) : t('corrected')}
      </bdi>
    </>
  );
}

/** Says that a notification has a picture, which is on its own page. */
export function PictureMark({ item, named }: { item: { picture: object | string | null }; named?: boolean }) {
  const t = useTranslations('inbox');
  if (!item.picture) return null;
  return (
    <>
      <Image size={14} /> {named ? t('hasPicture') : <span className="unseen">{t('hasPicture')}</span>} ·{' '}
    </>
  );
}

export function ReminderMark({ item }: { item: Pick<Item, 'remindsNo'> }) {
  const t = useTranslations('mustRead');
  return item.remindsNo === null ? null : <>{t('reminder')}: </>;
}

const icons: Record<Kind, LucideIcon> = {
  info: Info,
  kasbon: HandCoins,
  gaji: Wallet,
  bonus: Gift,
  timer: Timer,
  absen: CalendarCheck,
};

export function KindDisc({ kind }: { kind: Kind }) {
  return (
    <span className="kind-disc" style={{ color: `var(--kind-${kind})` }}>
      <KindIcon kind={kind} />
    </span>
  );
}

/** The icon of a kind. Screen readers skip it, so the kind's name must stand beside it. */
export function KindIcon({ kind }: { kind: Kind }) {
  const Icon = icons[kind];
  return <Icon strokeWidth={1.75} style={{ flexShrink: 0 }} data-kind={kind} />;
}

/** Says at which host the link of a notification opens, if that is the company's own portal. */
export function OpensAt({ item: { href }, linkBase }: { item: Pick<Item, 'href'>; linkBase: string | null }) {
  const t = useTranslations('bell');
  const host = href === null ? null : findLinkTarget(href, linkBase)?.host;
  return host ? <span> · {t('opensHost', { host })}</span> : null;
}

/** Marks a notification. All lists show it at once, and undo it if it is not stored. Returns whether it is. */
export async function storeMark(portal: PortalStore, mark: Mark): Promise<boolean> {
  portal.marks.begin(mark);
  const result = await portal.storeMarked(markReadAction(mark), () => mark);
  if ('problem' in result) portal.marks.undo(mark);
  return 'value' in result;
}
