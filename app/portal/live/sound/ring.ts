'use client';

import { chime, soundState } from '#app/portal/live/sound/sound.ts';
import { claimRing } from '#app/portal/live/storage/claims.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

// Gathers the notifications of one moment into one ring.
const gatherMs = 250;
// After an absence, the service sends what was missed in parts of 50. The ring waits for the others.
const catchUpItems = 50;
const catchUpMs = 4000;

/**
 * Rings once for these notifications, in one tab of this browser, at most every 5 s; longer where
 * one must be confirmed. Muted kinds do not ring. `readPreferences` is called before each attempt
 * and returns null while the employee wants quiet.
 */
export function ringFor(person: string, items: Item[], readPreferences: () => Preferences | null): void {
  const muted = readPreferences()?.mutedKinds ?? [];
  const audible = items.filter(({ kind }) => !muted.includes(kind));
  const last = audible.at(-1);
  if (!last) return;
  const long = audible.some(({ mustConfirm, confirmedAt }) => mustConfirm && !confirmedAt);
  const attempt = () => {
    const preferences = readPreferences();
    if (preferences === null || soundState() !== 'on') return;
    const ring = () => chime(preferences.sound, long);
    claimRing(person, last.no).then(
      (claim) => {
        if (claim === 'ring') ring();
        else if (typeof claim === 'object') setTimeout(attempt, claim.waitMs);
      },
      // A browser that refuses its locks rings in every tab.
      ring,
    );
  };
  setTimeout(attempt, items.length < catchUpItems ? gatherMs : catchUpMs);
}
