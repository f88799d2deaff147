import { Gauge, type Registry } from 'prom-client';
import { sql } from '#db/client.ts';
import { isUpstashPaused } from '#server/api/rate-limit.ts';
import { inTime } from '#server/deadline.ts';
import { secondsSinceSweep } from '#server/feed/company-feeds.ts';
import { countStreams } from '#server/feed/stream.ts';
import { maxStreams } from '#server/feed/stream-limit.ts';
import { countOpenAlarms } from '#server/keys/alarms.ts';

const longestWaitMs = 1000;

/** What only the first process knows: how many processes are to serve, and how many do, which has them measured too. */
export type Shared = { wanted: number; countProcesses: () => Promise<number> };

/**
 * What is not counted but looked at when somebody measures: streams, the age of the last look, how long the database takes to answer; and in the
 * first process the connections all processes hold, and the alarms owners have open. Answers what renews it, which never rejects.
 */
export function makeState(registry: Registry, first?: Shared): () => Promise<void> {
  const renewOwn = makeOwn(registry);
  const renewDatabase = makeDatabase(registry);
  const renewShared = first ? makeShared(registry, first) : undefined;
  return async () => {
    renewOwn();
    await Promise.all([renewDatabase(), renewShared?.()]);
  };
}

function makeOwn(registry: Registry): () => void {
  const registers = [registry];
  const open = new Gauge({ name: 'notif_streams_open', help: 'Streams that portals hold open.', registers });
  const most = new Gauge({ name: 'notif_streams_limit', help: 'How many streams may be open.', registers });
  const help = 'Seconds since the last sweep of the feed; 0 while no portal is open.';
  const aggregator = 'max' as const;
  const sweepAge = new Gauge({ name: 'notif_feed_sweep_age_seconds', help, aggregator, registers });
  // Its name until version 0.1; it goes with the next one.
  const lookAge = new Gauge({ name: 'notif_look_age_seconds', help, aggregator, registers });
  const paused = new Gauge({
    ...{ name: 'notif_upstash_paused', help: '1 while PostgreSQL counts because Upstash failed.' },
    ...{ aggregator: 'max' as const, registers },
  });
  return () => {
    open.set(countStreams());
    most.set(maxStreams());
    for (const age of [sweepAge, lookAge]) age.set(secondsSinceSweep());
    paused.set(isUpstashPaused() ? 1 : 0);
  };
}

function makeDatabase(registry: Registry): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    ...{ name: 'notif_database_up', help: '1 when the database answered every process within a second.' },
    ...{ aggregator: 'min' as const, registers },
  });
  const wait = new Gauge({
    ...{
      name: 'notif_database_answer_seconds',
      help: 'How long a trivial question took, the wait for a free connection included.',
    },
    ...{ aggregator: 'max' as const, registers },
  });
  return async () => {
    const asked = performance.now();
    const answered = await inTime(longestWaitMs, async () => (await sql()`select 1`).length === 1);
    up.set(answered ? 1 : 0);
    wait.set((performance.now() - asked) / 1000);
  };
}

function makeShared(registry: Registry, { wanted, countProcesses }: Shared): () => Promise<void> {
  const registers = [registry];
  const help =
    'Processes that answered in time, those that just come up or end included; fewer than wanted while one is dead or stuck.';
  const processes = new Gauge({ name: 'notif_processes', help, registers });
  new Gauge({ name: 'notif_processes_wanted', help: 'PROCESSES.', registers }).set(wanted);
  const held = new Gauge({
    ...{ name: 'notif_database_connections', help: 'Connections of this role to this database, by what they do.' },
    ...{ labelNames: ['state'], registers },
  });
  const most = new Gauge({
    ...{
      name: 'notif_database_connections_limit',
      help: 'max_connections of the server, which others use too.',
      registers,
    },
  });
  const alarms = new Gauge({
    ...{ name: 'notif_alarms_open', help: 'Alarms that owners have not dismissed, of all companies together.' },
    ...{ labelNames: ['kind'], registers },
  });
  return async () => {
    const counted = countProcesses();
    const found = await inTime(longestWaitMs, () => Promise.all([countConnections(), countOpenAlarms()]));
    processes.set(await counted);
    for (const gauge of [held, most, alarms]) gauge.reset();
    if (!found) return;
    const [connections, open] = found;
    for (const { state, count } of connections.states) held.set({ state }, count);
    most.set(connections.limit);
    for (const [kind, count] of Object.entries(open)) alarms.set({ kind }, count);
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
