'use client';

import { claimRing } from '#app/portal/live/feed/cursor.ts';
import { chime, soundState } from '#app/portal/live/sound/sound.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

const gatherMs = 250;

type Bell = { person: string; last: number; wishes: () => Preferences | null };

/**
 * Rings for what arrived, in one tab of those that may sound: once for a burst, and no sooner than 5 s after the last chime (what
 * comes in between rings together then). `wishes` is asked again each time; null means quiet.
 */
export function ringFor(person: string, items: Item[], wishes: () => Preferences | null): void {
  const muted = wishes()?.mutedKinds ?? [];
  const last = items.filter(({ kind }) => !muted.includes(kind)).at(-1);
  if (last) setTimeout(() => ring({ person, last: last.no, wishes }), gatherMs);
}

function ring(bell: Bell): void {
  if (bell.wishes() === null || soundState() !== 'on') return;
  claimRing(bell.person, bell.last).then(
    (claim) => {
      if (claim === 'ring') chime();
      else if (claim !== 'taken') setTimeout(() => ring(bell), claim.waitMs);
    },
    // A browser that refuses its locks still rings.
    () => chime(),
  );
}
