'use client';

import { claimRing } from '#app/portal/listener/cursor.ts';
import { chime, soundState } from '#app/portal/listener/sound.ts';
import type { Item } from '#server/inbox-item.ts';
import type { Preferences } from '#server/preferences.ts';

/**
 * Rings for what arrived, in one tab of those that may sound: once for a burst, and no sooner than 5 s after the last chime (what
 * comes in between rings together then). `wishes` is asked again each time; null means quiet.
 */
export function ringFor(person: string, items: Item[], wishes: () => Preferences | null): void {
  const wanted = wishes();
  const heard = items.filter(({ kind }) => wanted && !wanted.mutedKinds.includes(kind));
  const last = heard.at(-1);
  if (!last || soundState() !== 'on') return;
  claimRing(person, last.no).then(
    (claim) => {
      if (claim === 'ring') chime();
      else if (claim !== 'taken') setTimeout(() => ringFor(person, heard, wishes), claim.waitMs);
    },
    // A browser that refuses its locks still rings.
    () => chime(),
  );
}
