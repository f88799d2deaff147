import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  prometheusContentType,
  Registry,
} from 'prom-client';
import { db, sql as mainPool } from '#db/client.ts';
import { countFree, listUnsafeSettings, readCapacity } from '#db/database-facts.ts';
import { sql } from '#db/drizzle.cjs';
import { connectionBudget } from '#platform/config/connection-budget.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { counters, countWith, type Metrics } from '#platform/log/metrics.ts';
import { withTimeout } from '#platform/queues.ts';
import { isUpstashPaused } from '#server/api/rate-limit.ts';
import { secondsSinceReconciliation } from '#server/feed/company-feeds.ts';
import { maxStreams } from '#server/feed/limits.ts';
import { countStreams } from '#server/feed/stream.ts';
import { secondsSinceHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { countOpenAlarms } from '#server/keys/alarms.ts';
import { listen } from '#server/runtime/bind-server.ts';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const operations = ['ping', 'send', 'other'];

/**
 * Starts to count in this process, and answers `GET /metrics` on METRICS_HOST:METRICS_PORT. Every label has a fixed
 * list of values; no company, key, person or text is ever one. Throws `StartError` when the port is not available.
 */
export async function openMetrics(): Promise<void> {
  const { METRICS_HOST: host, METRICS_PORT: port = 0 } = env();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  countWith({ time: makeTimer(registry), count: makeCounters(registry) });
  const updateGauges = makeGauges(registry);
  let reading: Promise<string> | undefined;
  // Scrapes at the same time share one reading.
  const readMetrics = () => {
    reading ??= updateGauges()
      .then(() => registry.metrics())
      .finally(() => (reading = undefined));
    return reading;
  };
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    answerScrape(request, response, readMetrics).catch((error: unknown) => {
      log().warn({ err: error }, 'the metrics could not be read');
      response.destroy();
    });
  });
  await listen(server, { host, port, variables: ['METRICS_HOST', 'METRICS_PORT'] });
}

async function answerScrape(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  readMetrics: () => Promise<string>,
): Promise<void> {
  if (url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const text = await readMetrics();
  response.writeHead(200, { 'Content-Type': prometheusContentType, 'Cache-Control': 'no-store' }).end(text);
}

function makeTimer(registry: Registry): Metrics['time'] {
  const durations = new Histogram({
    name: 'notif_request_duration_seconds',
    help: 'Requests of the API: time until the response was complete.',
    labelNames: ['operation', 'status'],
    buckets: seconds,
    registers: [registry],
  });
  for (const operation of operations) durations.zero({ operation, status: 200 });
  return (operation, status, ms) => durations.observe({ operation, status }, ms / 1000);
}

function makeCounters(registry: Registry): Metrics['count'] {
  const pairs = Object.entries(counters).map(([name, definition]) => {
    const { help, label = '', values = [] }: { help: string; label?: string; values?: readonly string[] } = definition;
    const labelNames = label ? [label] : [];
    const counter = new Counter({ name: `notif_${name}_total`, help, labelNames, registers: [registry] });
    const labelsOf = (value: string) => (label ? { [label]: values.includes(value) ? value : 'other' } : {});
    // Prometheus computes a rate only from a series that was once seen at 0.
    for (const value of values) counter.inc(labelsOf(value), 0);
    return [name, (value: string, by: number) => counter.inc(labelsOf(value), by)] as const;
  });
  const count = Object.fromEntries(pairs);
  return (name, value = '', by = 1) => count[name]?.(value, by);
}

const maxWaitMs = 1000;

type MakeGauge = (name: string, help: string, more?: Partial<GaugeConfiguration<string>>) => Gauge;

// Registers the gauges. Those of this process read themselves. Those of the deployment, which the database
// knows, are the same in every process; the returned function updates them before a scrape and never rejects.
function makeGauges(registry: Registry): () => Promise<unknown> {
  const make: MakeGauge = (name, help, more) => new Gauge({ name, help, ...more, registers: [registry] });
  const ageHelp = 'Seconds since the last reconciliation of the feed; 0 while no portal is open.';
  make('notif_streams_open', 'Open streams of portals.', readBy(countStreams));
  make('notif_streams_limit', 'How many streams may be open.', readBy(maxStreams));
  make('notif_feed_sweep_age_seconds', ageHelp, readBy(secondsSinceReconciliation));
  make('notif_upstash_paused', '1 while PostgreSQL counts because Upstash failed.', readBy(isUpstashPaused));
  make('notif_database_connections_budget', 'How many connections this process may hold.', readBy(connectionBudget));
  const updates = [makeDatabaseGauges(make), makeDeploymentGauges(make)];
  return () => Promise.all(updates.map((update) => update()));
}

const readBy = (read: () => number | boolean): Partial<GaugeConfiguration<string>> => ({
  collect() {
    this.set(Number(read()));
  },
});

function makeDatabaseGauges(make: MakeGauge): () => Promise<void> {
  const up = make('notif_database_up', '1 when the database answered within a second.');
  const duration = make(
    'notif_database_answer_seconds',
    'Duration of a trivial query, including the wait for a free connection.',
  );
  return async () => {
    const startedAt = performance.now();
    const answered = await withTimeout(maxWaitMs, async () => (await db().execute(sql`select 1`)).length === 1);
    up.set(answered ? 1 : 0);
    duration.set((performance.now() - startedAt) / 1000);
  };
}

function makeDeploymentGauges(make: MakeGauge): () => Promise<void> {
  const connections = make(
    'notif_database_connections',
    'Connections of this role to this database, of all processes, by what they do.',
    { labelNames: ['state'] },
  );
  const limit = make('notif_database_connections_limit', 'How many connections the database allows this role.');
  const free = make('notif_database_connections_free', 'How many more connections this role could open now.');
  const durability = make(
    'notif_database_durability_off',
    'Settings of the database without which a crash may lose sends, by whether the provider is trusted.',
    { labelNames: ['trusted'] },
  );
  const jobsAge = make('notif_hourly_jobs_age_seconds', 'Seconds since the hourly job ended that waits longest.');
  const alarms = make('notif_alarms_open', 'Alarms that owners have not dismissed, of all companies.', {
    labelNames: ['kind'],
  });
  return async () => {
    const readings = await withTimeout(maxWaitMs, () =>
      Promise.all([
        countConnections(),
        readCapacity(mainPool()),
        listUnsafeSettings(mainPool(), env().DATABASE_DURABILITY),
        secondsSinceHourlyJobs(),
        countOpenAlarms(),
      ]),
    );
    for (const gauge of [connections, limit, free, durability, jobsAge, alarms]) gauge.reset();
    if (!readings) {
      // Without a database nothing is known: 0 would say that none is free.
      for (const gauge of [limit, free, jobsAge]) gauge.remove();
      return;
    }
    const [states, capacity, unsafe, seconds, openAlarms] = readings;
    for (const { state, count } of states) connections.set({ state }, count);
    limit.set(Math.min(...capacity.limits.map(({ allowed }) => allowed)));
    free.set(countFree(capacity));
    for (const isTrusted of [true, false])
      durability.set(
        { trusted: isTrusted ? 'yes' : 'no' },
        unsafe.filter((setting) => setting.isTrusted === isTrusted).length,
      );
    jobsAge.set(seconds);
    for (const [kind, count] of Object.entries(openAlarms)) alarms.set({ kind }, count);
  };
}

const connectionStates = ['active', 'idle', 'idle in transaction', 'other'];

async function countConnections(): Promise<{ state: string; count: number }[]> {
  const states = sql.param(connectionStates);
  // As text: a view of PostgreSQL's own.
  return db().execute<{ state: string; count: number }>(sql`
    select known.state, count(a.pid)::int as count
    from unnest(${states}::text[]) as known (state)
    left join pg_stat_activity a on a.datname = current_database() and a.usename = current_user
      and known.state = case when a.state = any(${states}::text[]) then a.state else 'other' end
    group by known.state`);
}
