import { Gathering } from '#app/portal/live/feed/gathering.ts';
import { chime, restoreSound } from '#app/portal/live/sound/sound.ts';
import { browserId, claimRing } from '#app/portal/live/storage/claims.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

const gatherMs = 250;
const askLimitMs = 2000;

/** What rings: notifications of a person, and the highest number of those sent before this page asked for them. */
type Arrival = {
  person: string;
  items: Item[];
  /** Returns the number up to which all was sent before this page asked for it. */
  missedUpTo: () => number;
  /** Called before each attempt; null while the employee wants quiet. */
  readPreferences: () => Preferences | null;
  /** Whether this page may ring, because no page that it cannot see does. Called last, after the claim. */
  mayRing?: (() => Promise<boolean>) | undefined;
};

const gathering = new Gathering<Arrival>((arrivals) => {
  const last = arrivals.at(-1);
  if (last) ring({ ...last, items: arrivals.flatMap(({ items }) => items) });
});

/** Rings once for these notifications and for all that was sent before them, in one tab, at most every 5 s. */
export function ringFor(arrival: Arrival): void {
  const waitsForLast = arrival.items.every(({ no }) => no < arrival.missedUpTo());
  if (arrival.items.length > 0) gathering.add([arrival], gatherMs, waitsForLast);
}

/** Asks the service whether a bell rings: it may not see the other tabs of its browser. */
export async function askToRing(received: number): Promise<boolean> {
  const query = new URLSearchParams({ after: String(received), browser: browserId(), rings: '1' });
  const response = await fetch(`/portal/feed?${query}`, { cache: 'no-store', signal: AbortSignal.timeout(askLimitMs) });
  return ((await response.json()) as { rings?: boolean }).rings !== false;
}

function ring({ person, items, missedUpTo, readPreferences, mayRing = async () => true }: Arrival): void {
  const muted = readPreferences()?.mutedKinds ?? [];
  const audible = items.filter(({ kind }) => !muted.includes(kind));
  if (audible.length === 0) return;
  const no = Math.max(0, ...audible.filter(({ back }) => !back).map((item) => item.no));
  const back = Math.max(0, ...audible.map((item) => (item.back && Date.parse(item.snoozedUntil ?? '')) || 0));
  const long = audible.some(({ mustConfirm, confirmedAt }) => mustConfirm && !confirmedAt);
  const attempt = async () => {
    const preferences = readPreferences();
    if (preferences === null || !(await restoreSound())) return;
    // A browser that refuses its locks rings in every tab.
    const claim = await claimRing(person, { no, missedUpTo: missedUpTo(), back }).catch(() => 'ring' as const);
    if (typeof claim === 'object') setTimeout(() => void attempt(), claim.waitMs);
    // If the answer is missing, it rings: two rings are better than none.
    if (claim === 'ring' && (await mayRing().catch(() => true))) chime(preferences.sound, long);
  };
  void attempt();
}
