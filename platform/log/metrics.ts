import { processWide } from '#platform/config/process-wide.ts';

/** All counters, by the middle of their Prometheus name: `notif_…_total`. A label has a fixed list of values. */
export const counters = {
  unread_requests: {
    help: 'Requests that were refused unread: bytes that are not HTTP, unknown addresses below /api/.',
    label: 'code',
    values: ['request_malformed', 'address_unknown'],
  },
  sends: {
    help: 'Committed notifications, by keys and by hand, without replays and reminders.',
    label: 'to',
    values: ['one', 'several', 'everyone'],
  },
  recipients: { help: 'Recipients of these notifications.' },
  feed_polls: {
    help: 'Polls of portals for new notifications, by status.',
    label: 'status',
    values: ['200', '400', '401', '500', '503'],
  },
  denials: {
    help: 'Pages, routes and actions that were denied, by reason.',
    label: 'reason',
    values: ['no-rights', 'rights-ended', 'no-session', 'foreign-page'],
  },
  provider_failures: {
    help: 'Sign-ins at a provider of OpenID Connect that failed, by cause.',
    label: 'cause',
    values: [
      ...['unreachable', 'certificate', 'slash', 'issuer', 'client', 'redirect-address', 'time', 'algorithm'],
      ...['cancelled', 'other'],
    ],
  },
  streams_refused: { help: 'Streams that were refused because the process had reached its limit.' },
  pages: {
    help: 'Pages, their actions and their files, by class of status.',
    label: 'status',
    values: ['2xx', '3xx', '4xx', '5xx'],
  },
  push_messages: {
    help: 'Messages to devices, by the answer of their push service. Dropped ones were not posted because 10,000 were queued.',
    label: 'outcome',
    values: ['delivered', 'gone', 'failed', 'later', 'dropped'],
  },
  alarm_pushes: {
    help: 'Alarms that this process pushed to the devices of owners, by kind.',
    label: 'kind',
    values: ['repeated-broadcast', 'silent-key', 'guessing'],
  },
  upstash: {
    help: 'Requests to count in Upstash, by outcome. After a failure PostgreSQL counts, and one request every 5 s tries again.',
    label: 'outcome',
    values: ['counted', 'failed'],
  },
  feed_sweeps: {
    help: 'Reconciliations of the feed with notifications that LISTEN missed, every 2 s while portals are open.',
    label: 'found',
    values: ['nothing', 'missed'],
  },
  listener_renewals: { help: 'Reconnects of a LISTEN connection that delivered no messages.' },
  untrusted_proxy_requests: {
    help: 'Calls and pages with X-Forwarded-For or Forwarded from a machine that is not in TRUSTED_PROXIES.',
  },
  log_lines: { help: 'Lines of the log at warn and above.', label: 'level', values: ['warn', 'error', 'fatal'] },
} as const;

export type CounterName = keyof typeof counters;

/** `time` records a request of the public interface. `count` adds `by` (1); an unlisted label is counted as `other`. */
export type Metrics = {
  time: (operation: string, status: number, ms: number) => void;
  count: (name: CounterName, label?: string, by?: number) => void;
};

const holder = processWide('metrics', (): { metrics?: Metrics } => ({}));

/** The metrics of this process, or undefined without `METRICS_PORT`. */
export const metrics = (): Metrics | undefined => holder.metrics;

export function countWith(processMetrics: Metrics): void {
  holder.metrics = processMetrics;
}
