'use client';

import { useFormatter, useNow, useTimeZone, useTranslations } from 'next-intl';
import type { Item } from '#server/inbox/inbox-item.ts';

/** Groups items by day in the company's time zone, and names each day. */
export function useDays(items: Item[]): { name: string; items: Item[] }[] {
  const t = useTranslations('inbox');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const now = useNow();
  const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  const today = dayOf(now);
  const yesterday = dayOf(new Date(now.getTime() - 24 * 60 * 60 * 1000));
  const nameOf = (day: string, at: Date) => {
    if (day === today) return t('today');
    if (day === yesterday) return t('yesterday');
    return format.dateTime(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  };
  const days = new Map<string, Item[]>();
  for (const item of items) {
    const day = dayOf(new Date(item.createdAt));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, ofDay]) => ({ name: nameOf(day, new Date(ofDay[0]?.createdAt ?? 0)), items: ofDay }));
}
