'use client';

import { chime, soundState } from '#app/portal/live/sound/sound.ts';
import { claimRing } from '#app/portal/live/storage/claims.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

// Gathers the notifications of one moment into one ring.
const gatherMs = 250;

/**
 * Rings once for these notifications, in one tab of this browser, at most every 5 s. Muted kinds do
 * not ring. `readPreferences` is called before each attempt and returns null while the employee
 * wants quiet.
 */
export function ringFor(person: string, items: Item[], readPreferences: () => Preferences | null): void {
  const muted = readPreferences()?.mutedKinds ?? [];
  const last = items.filter(({ kind }) => !muted.includes(kind)).at(-1);
  if (!last) return;
  const attempt = () => {
    if (readPreferences() === null || soundState() !== 'on') return;
    claimRing(person, last.no).then(
      (claim) => {
        if (claim === 'ring') chime();
        else if (typeof claim === 'object') setTimeout(attempt, claim.waitMs);
      },
      // A browser that refuses its locks rings in every tab.
      () => chime(),
    );
  };
  setTimeout(attempt, gatherMs);
}
