'use client';

import { CalendarCheck, Gift, HandCoins, Info, type LucideIcon, Timer, Wallet } from 'lucide-react';
import type { Kind } from '#server/notifications/kinds.ts';

const icons: Record<Kind, LucideIcon> = {
  info: Info,
  kasbon: HandCoins,
  gaji: Wallet,
  bonus: Gift,
  timer: Timer,
  absen: CalendarCheck,
};

/** The icon of a kind in a disc of the kind's colour. Screen readers skip it. */
export function KindDisc({ kind }: { kind: Kind }) {
  return (
    <span className="kind-disc" data-kind={kind}>
      <KindIcon kind={kind} size={18} />
    </span>
  );
}

/** The icon of a kind. Screen readers skip it, so the kind's name must stand beside it. */
export function KindIcon({ kind, size }: { kind: Kind; size: number }) {
  const Icon = icons[kind];
  return <Icon aria-hidden size={size} strokeWidth={1.75} style={{ flexShrink: 0 }} data-kind={kind} />;
}
