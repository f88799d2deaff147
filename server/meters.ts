/** What is counted, by the name it has for Prometheus after `notif_` and before `_total`: its explanation, and the one label with all its values. */
export const counters = {
  unread_requests: {
    help: 'Requests answered before anything of them was read: bytes that are not HTTP, addresses below /api/ that are none.',
    label: 'code',
    values: ['request_malformed', 'address_unknown'],
  },
  sends: {
    help: 'Notifications committed, by keys and by hand; replays and reminders are none.',
    label: 'to',
    values: ['one', 'everyone'],
  },
  recipients: { help: 'People whom these notifications reached.' },
  feed_polls: {
    help: 'Questions of portals for what is new, by status.',
    label: 'status',
    values: ['200', '400', '401', '503'],
  },
  streams_refused: { help: 'Streams refused because the process held as many as it may.' },
  pages: {
    help: 'Pages, their actions and their files, by class of status.',
    label: 'status',
    values: ['2xx', '3xx', '4xx', '5xx'],
  },
  push_messages: {
    help: 'Messages to devices, by what their push service answered; dropped ones were never posted because 10,000 waited.',
    label: 'outcome',
    values: ['delivered', 'gone', 'failed', 'later', 'dropped'],
  },
  upstash: {
    help: 'What became of requests to be counted in Upstash; after one that failed PostgreSQL counts, and one each 5 s asks again.',
    label: 'outcome',
    values: ['counted', 'failed'],
  },
  feed_sweeps: {
    help: 'Sweeps of the feed for notifications that LISTEN missed, every 2 s while portals are open.',
    formerName: 'looks',
    label: 'found',
    values: ['nothing', 'missed'],
  },
  listener_renewals: { help: 'How often the listening connection was found deaf and opened anew.' },
  process_deaths: { help: 'Processes that died and were replaced.' },
  log_lines: { help: 'Lines of the log at warn and above.', label: 'level', values: ['warn', 'error', 'fatal'] },
} as const;

/** The name of something that is counted. */
export type CounterName = keyof typeof counters;

/** What a process counts while it is measured. A label that is not listed is counted as `other`. */
export type Meters = {
  /** A request of the interface, answered after so many milliseconds. */
  time: (operation: string, status: number, ms: number) => void;
  count: (name: CounterName, label?: string, by?: number) => void;
};

// The front and the pages are two module graphs in one process; what they count is one.
const held = globalThis as { [key: symbol]: Meters | undefined };
const name = Symbol.for('staff-notification-api.meters');

/** What counts in this process, or undefined when nobody asked for metrics (`METRICS_PORT`). */
export const meters = (): Meters | undefined => held[name];

/** From now on what happens in this process is counted there. */
export function countWith(made: Meters): void {
  held[name] = made;
}
