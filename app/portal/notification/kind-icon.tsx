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

/** The icon of a kind; its name stands beside it wherever it carries meaning. */
export function KindIcon({ kind, size }: { kind: Kind; size: number }) {
  const Icon = icons[kind];
  return <Icon aria-hidden size={size} style={{ flexShrink: 0 }} data-kind={kind} />;
}
