import type { SoundState } from '#server/employees/portal-visits.ts';
import type { FeedAnswer, Item, UnreadCount } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

/** Whether the leading tab reaches the service, and when it last did. */
export type Contact = { connected: boolean; checkedAt: number | null };

/** What changed about notifications that are shown already, so that lists and other tabs can follow. */
export type Marked =
  | { no: number; read: boolean }
  | { upTo: number }
  | { unreadAgain: number[] }
  | { confirmed: number; at: string }
  | { withdrawn: number[] };

/** What the tabs of one person in one browser tell each other. */
export type Message =
  // From the leading tab's worker:
  | ({ type: 'news' } & FeedAnswer)
  | ({ type: 'leading' } & Contact)
  | { type: 'ended' }
  // To it: look at once, and what each tab can do with sound.
  | { type: 'look'; count: boolean }
  | { type: 'sound'; tab: string; state: SoundState | null }
  // Between pages:
  | { type: 'looking'; tab: string }
  | { type: 'handover'; to: string; items: Item[] }
  | { type: 'marked'; marked: Marked; unread: UnreadCount }
  | { type: 'preferences'; preferences: Preferences };

/** What a page tells its own worker. */
export type Start = { type: 'start'; person: string; browser: string; after: number };

/** Opens the channel of one person; every tab and worker of this browser that listens gets what is posted. */
export function openChannel(person: string, hear: (message: Message) => void) {
  const channel = new BroadcastChannel(`portal:${person}`);
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { post: (message: Message) => channel.postMessage(message), close: () => channel.close() };
}
