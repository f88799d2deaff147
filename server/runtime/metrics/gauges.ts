import { Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import { sql } from '#db/client.ts';
import { isUpstashPaused } from '#server/api/rate-limit.ts';
import { withTimeout } from '#server/deadline.ts';
import { secondsSinceSweep } from '#server/feed/company-feeds.ts';
import { countStreams } from '#server/feed/stream.ts';
import { maxStreams } from '#server/feed/stream-limit.ts';
import { countOpenAlarms } from '#server/keys/alarms.ts';

const maxWaitMs = 1000;

/**
 * How many processes should run now and how many answer, and whether other processes hold the
 * streams; known to the first process only.
 */
export type ProcessCount = {
  countWanted: () => number;
  count: () => Promise<number>;
  areStreamsElsewhere: () => boolean;
};

type MakeGauge = (name: string, help: string, more?: Partial<GaugeConfiguration<string>>) => Gauge;

/**
 * Registers the gauges and returns what updates them before a scrape; it never rejects. Every
 * process has those of its streams, sweep and database. With `processCount` the gauges of all
 * processes together are added: connections, alarms, processes.
 */
export function makeGauges(registry: Registry, processCount?: ProcessCount): () => Promise<void> {
  const make: MakeGauge = (name, help, more) => new Gauge({ name, help, ...more, registers: [registry] });
  const updateOwn = makeOwnGauges(make, () => processCount?.areStreamsElsewhere() ?? false);
  const updateDatabase = makeDatabaseGauges(make);
  const updateShared = processCount ? makeSharedGauges(make, processCount) : undefined;
  return async () => {
    updateOwn();
    await Promise.all([updateDatabase(), updateShared?.()]);
  };
}

function makeOwnGauges(make: MakeGauge, areStreamsElsewhere: () => boolean): () => void {
  const open = make('notif_streams_open', 'Open streams of portals.');
  const limit = make('notif_streams_limit', 'How many streams may be open.');
  const ages = ['notif_feed_sweep_age_seconds', 'notif_look_age_seconds'].map((name) =>
    // The second one is the name until version 0.1; it goes with the next version.
    make(name, 'Seconds since the last sweep of the feed; 0 while no portal is open.', { aggregator: 'max' }),
  );
  const paused = make('notif_upstash_paused', '1 while PostgreSQL counts because Upstash failed.', {
    aggregator: 'max',
  });
  return () => {
    open.set(countStreams());
    limit.set(areStreamsElsewhere() ? 0 : maxStreams());
    const age = secondsSinceSweep();
    for (const gauge of ages) gauge.set(age);
    paused.set(isUpstashPaused() ? 1 : 0);
  };
}

function makeDatabaseGauges(make: MakeGauge): () => Promise<void> {
  const up = make('notif_database_up', '1 when the database answered every process within a second.', {
    aggregator: 'min',
  });
  const seconds = make(
    'notif_database_answer_seconds',
    'Duration of a trivial query, including the wait for a free connection.',
    { aggregator: 'max' },
  );
  return async () => {
    const startedAt = performance.now();
    const answered = await withTimeout(maxWaitMs, async () => (await sql()`select 1`).length === 1);
    up.set(answered ? 1 : 0);
    seconds.set((performance.now() - startedAt) / 1000);
  };
}

function makeSharedGauges(make: MakeGauge, { countWanted, count }: ProcessCount): () => Promise<void> {
  const processes = make(
    'notif_processes',
    'Processes that answered in time, including starting and ending ones; fewer than wanted when one is dead or stuck.',
  );
  const wanted = make('notif_processes_wanted', 'PROCESSES, and the stream processes that were started.');
  const connections = make(
    'notif_database_connections',
    'Connections of this role to this database, by what they do.',
    { labelNames: ['state'] },
  );
  const limit = make('notif_database_connections_limit', 'max_connections of the server, which others use too.');
  const alarms = make('notif_alarms_open', 'Alarms that owners have not dismissed, of all companies.', {
    labelNames: ['kind'],
  });
  return async () => {
    const counting = count();
    const found = await withTimeout(maxWaitMs, () => Promise.all([countConnections(), countOpenAlarms()]));
    processes.set(await counting);
    wanted.set(countWanted());
    for (const gauge of [connections, limit, alarms]) gauge.reset();
    if (!found) return;
    const [used, openAlarms] = found;
    for (const { state, count } of used.states) connections.set({ state }, count);
    limit.set(used.limit);
    for (const [kind, count] of Object.entries(openAlarms)) alarms.set({ kind }, count);
  };
}

const connectionStates = ['active', 'idle', 'idle in transaction', 'other'];

async function countConnections(): Promise<{ limit: number; states: { state: string; count: number }[] }> {
  const rows = await sql()<{ state: string; count: number; limit: number }[]>`
    select known.state, count(a.pid)::int as count, current_setting('max_connections')::int as limit
    from unnest(${connectionStates}::text[]) as known (state)
    left join pg_stat_activity a on a.datname = current_database() and a.usename = current_user
      and known.state = case when a.state = any(${connectionStates}::text[]) then a.state else 'other' end
    group by known.state`;
  return { limit: rows[0]?.limit ?? 0, states: rows };
}
