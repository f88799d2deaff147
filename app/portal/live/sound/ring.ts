import { chime, restoreSound } from '#app/portal/live/sound/sound.ts';
import { claimRing } from '#app/portal/live/storage/claims.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

// Gathers the notifications of 250 ms into one ring.
const gatherMs = 250;
// After an absence, the service sends what was missed in parts of 50, or one by one. While they
// arrive, the ring waits for the others.
const catchUpItems = 20;
const catchUpMs = 4000;
const maxGatherMs = 20_000;

let gathered: Item[] = [];
let gatheredSince = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Rings once for these notifications, in one tab of this browser, at most every 5 s; longer where
 * one must be confirmed. Muted kinds do not ring. What arrives after an absence rings once, when
 * all of it has arrived. `readPreferences` is called before each attempt and returns null while the
 * employee wants quiet. `mayRing` says, last of all, whether another tab of this browser rings that
 * this one cannot see.
 */
export function ringFor(
  person: string,
  items: Item[],
  readPreferences: () => Preferences | null,
  mayRing: () => Promise<boolean> = async () => true,
): void {
  if (items.length === 0) return;
  const now = Date.now();
  if (gathered.length === 0) gatheredSince = now;
  gathered.push(...items);
  const isCatchUp = gathered.length >= catchUpItems;
  // The first ones set the time, unless many follow.
  if (timer !== undefined && !isCatchUp) return;
  clearTimeout(timer);
  const pauseMs = isCatchUp ? Math.max(0, Math.min(catchUpMs, gatheredSince + maxGatherMs - now)) : gatherMs;
  timer = setTimeout(() => {
    timer = undefined;
    const all = gathered;
    gathered = [];
    ring(person, all, readPreferences, mayRing);
  }, pauseMs);
}

function ring(
  person: string,
  items: Item[],
  readPreferences: () => Preferences | null,
  mayRing: () => Promise<boolean>,
): void {
  const muted = readPreferences()?.mutedKinds ?? [];
  const audible = items.filter(({ kind }) => !muted.includes(kind));
  if (audible.length === 0) return;
  const no = Math.max(0, ...audible.filter(({ back }) => !back).map((item) => item.no));
  const back = Math.max(0, ...audible.map((item) => (item.back && Date.parse(item.snoozedUntil ?? '')) || 0));
  const long = audible.some(({ mustConfirm, confirmedAt }) => mustConfirm && !confirmedAt);
  const attempt = async () => {
    const preferences = readPreferences();
    if (preferences === null || !(await restoreSound())) return;
    // Better two rings than none.
    const chimeNow = () =>
      mayRing()
        .catch(() => true)
        .then((may) => may && chime(preferences.sound, long));
    claimRing(person, { no, back }).then(
      (claim) => {
        if (claim === 'ring') chimeNow();
        else if (typeof claim === 'object') setTimeout(() => void attempt(), claim.waitMs);
      },
      // A browser that refuses its locks rings in every tab.
      chimeNow,
    );
  };
  void attempt();
}
