import type { SoundState } from '#server/employees/portal-visits.ts';
import type { FeedAnswer, Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

/** Whether the leading tab reaches the service, and when it last did (ms). `refused`: the browser forbids to listen. */
export type Connection = { connected: boolean; checkedAt: number | null; refused?: boolean } & SessionState;

/** `titlesOnly`: the provider has not confirmed the session. `endsSoon`: it ends within an hour. */
export type SessionState = Pick<FeedAnswer, 'titlesOnly' | 'endsSoon'>;

export type Mark = { no: number; read: boolean };

/** A change to notifications that other lists and tabs already show. */
export type Marked =
  | Mark
  | { upTo: number }
  | { unreadAgain: number[] }
  | { confirmed: number; at: string; answer?: number | null }
  // They left the inbox: for the archive, or until their snooze ends.
  | { moved: number[]; to: 'archive' | 'snoozed' }
  // They are in the inbox again.
  | { returned: Item[] }
  | { withdrawn: number[] }
  | { corrected: Item[] };

/** A message between the tabs and workers of one employee in one browser. */
export type Message =
  // From the worker of the leading tab:
  | ({ type: 'update' } & Omit<FeedAnswer, 'corrected'>)
  | { type: 'corrected'; items: Item[] }
  | ({ type: 'leader' } & Connection)
  | { type: 'session-ended' }
  // To the worker of the leading tab:
  | { type: 'poll'; withCount: boolean }
  | ({ type: 'sound' } & TabSound)
  // Between pages:
  | { type: 'tab-visible'; tab: string }
  | { type: 'handover'; to: string; items: Item[] }
  | { type: 'marked'; marked: Marked; unread: UnreadCount }
  | { type: 'preferences'; preferences: Preferences };

/** The state of the sound of a tab; null where nobody hears it. */
type TabSound = { tab: string; isBell: boolean; state: SoundState | null };

/** The first message of a page to its worker. `after`: the last number it has. `nextBackIn`: ms until a snooze ends. */
export type WorkerStart = {
  sound: TabSound;
  person: string;
  browser: string;
  after: number;
  withCount: boolean;
  nextBackIn: number | null;
};

/** Opens the channel of a group of tabs. Its name is that of the leader's lock. Raise it when `Message` changes. */
export function openChannel(person: string, onMessage: (message: Message) => void): BroadcastChannel {
  const channel = new BroadcastChannel(`portal:3:${person}`);
  channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);
  return channel;
}
