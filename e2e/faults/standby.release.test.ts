import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { rounds } from '#e2e/support/figures.ts';
import { expectCommon, sendTo } from '#e2e/support/http/interface.ts';
import { type MovingAddress, startMovingAddress } from '#e2e/support/proxies/tcp-proxy.ts';
import { childrenOf } from '#e2e/support/running.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

/** A PostgreSQL primary with a streaming standby; `url` is the service's role at the primary. */
type Pair = {
  url: string;
  primaryPort: number;
  standbyPort: number;
  /** A superuser's connection string at the standby. */
  atStandby: postgres.Sql;
  /** Kills the primary as a power failure would. */
  killPrimary: () => Promise<void>;
  promote: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts a pair. With `synchronous`, a commit waits for the standby. */
async function startPair(replication: 'synchronous' | 'asynchronous'): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-pair-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const settings = ['wal_keep_size=256MB', 'hot_standby=on'];
  const primary = await startCluster(first, { settings });
  const atPrimary = postgres(primary.adminUrl, { max: 1, onnotice: () => {} });
  await atPrimary.unsafe('create database notif_test');
  const url = await giveToService(primary.adminUrl.replace(/\/postgres$/, '/notif_test'));
  await copyBase(atPrimary, first, second, primary.adminUrl);
  const standby = await startCluster(second, { settings });
  await untilFollowing(atPrimary, replication);
  const atStandby = postgres(standby.adminUrl.replace(/postgres$/, 'notif_test'), { max: 2, onnotice: () => {} });
  const portOf = (server: { adminUrl: string }) => Number(new URL(server.adminUrl).port);
  return {
    url,
    atStandby,
    primaryPort: portOf(primary),
    standbyPort: portOf(standby),
    killPrimary: () => killWithSessions(join(first, 'postgres')),
    promote: async () => void (await atStandby`select pg_promote(true, 30)`),
    stop: async () => {
      await Promise.all([atPrimary.end({ timeout: 1 }), atStandby.end({ timeout: 1 })]);
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// Does what pg_basebackup does, which the npm packages lack.
async function copyBase(atPrimary: postgres.Sql, from: string, to: string, primaryUrl: string): Promise<void> {
  await atPrimary`select pg_backup_start('standby', true)`;
  const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal']);
  await cp(from, to, { recursive: true, filter: (path) => !left.has(basename(path)) });
  await mkdir(join(to, 'postgres', 'pg_wal'), { mode: 0o700 });
  const [backup] = await atPrimary<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
  const { hostname, port, username, password } = new URL(primaryUrl);
  await writeFile(join(to, 'postgres', 'backup_label'), backup?.labelfile ?? '');
  await writeFile(join(to, 'postgres', 'standby.signal'), '');
  await writeFile(
    join(to, 'postgres', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
}

async function untilFollowing(atPrimary: postgres.Sql, replication: 'synchronous' | 'asynchronous'): Promise<void> {
  if (replication === 'synchronous') {
    await atPrimary.unsafe(`alter system set synchronous_standby_names = '*'`);
    await atPrimary`select pg_reload_conf()`;
  }
  const wanted = replication === 'synchronous' ? 'sync' : 'async';
  const state = async () => (await atPrimary`select sync_state from pg_stat_replication where state = 'streaming'`)[0];
  await expect.poll(state, { timeout: 30_000, interval: 100 }).toEqual({ sync_state: wanted });
}

async function killWithSessions(cluster: string): Promise<void> {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  if (pid > 0) for (const one of [pid, ...childrenOf(pid)]) kill(one);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

const authSecret = 's'.repeat(40);
const healMs = 5000;
const senders = 3;
const keysOfSender = 6;

/** A send with its unique title, its status and when it was answered (`performance.now()`). */
type Sent = { title: string; status: number; code: string; at: number };
type Sending = { sent: Sent[]; first: (status: number, since?: number) => Promise<Sent>; stop: () => Promise<void> };
/** Two services: `moved` has an address that moves between the servers, `listed` has the addresses of both. */
type Stage = { pair: Pair; address: MovingAddress; moved: Service; listed: Service; keys: string[] };

const withHosts = (url: string, ...ports: number[]) =>
  url.replace(/@[^/]+/, `@${ports.map((port) => `127.0.0.1:${port}`).join()}`);

async function onStage(replication: 'synchronous' | 'asynchronous', use: (stage: Stage) => Promise<void>) {
  const pair = await startPair(replication);
  const address = await startMovingAddress(pair.primaryPort);
  const settings = { AUTH_SECRET: authSecret, HOST: '127.0.0.1' };
  const at = (ports: number[], words = '') => ({
    DATABASE_URL: withHosts(pair.url, ...ports) + words,
    DATABASE_OWNER_URL: withHosts(ownerUrlOf(pair.url) ?? '', ...ports) + words,
  });
  const [moved, listed] = await Promise.all([
    startService({ ...settings, ...at([address.port]) }),
    startService({ ...settings, ...at([pair.standbyPort, pair.primaryPort], '?target_session_attrs=primary') }),
  ]);
  try {
    applyStartSettings({ databaseUrl: pair.url, authSecret, appUrl: 'http://127.0.0.1' });
    const company = await makeCompany();
    await company.hire();
    const keys = await company.newKeys(2 * senders * keysOfSender);
    await disconnect();
    await use({ pair, address, moved, listed, keys });
  } finally {
    await Promise.all([moved.stop('SIGKILL'), listed.stop('SIGKILL'), address.stop()]);
    await pair.stop();
  }
}

async function send(service: Service, key: string): Promise<Sent> {
  const title = randomUUID();
  const response = await sendTo(service.url, key, { judul: title, isi: 'Isi' }, { 'Idempotency-Key': title });
  expectCommon(response);
  const { code = '' } = (await response.json()) as { code?: string };
  return { title, status: response.status, code, at: performance.now() };
}

/** Sends from several clients until `stop`. `first` waits for an answer with a status. */
function keepSending(service: Service, keys: string[]): Sending {
  const sent: Sent[] = [];
  let isStopped = false;
  const sendOn = async (own: string[]) => {
    for (let answered = 0; !isStopped; ) {
      const key = own[Math.floor(answered / 55)];
      if (key === undefined) return;
      const one = await send(service, key);
      sent.push(one);
      // Waits as Retry-After says.
      if (one.status === 503) await pause(20);
      else answered++;
    }
  };
  const all = Array.from({ length: senders }, (_, at) => sendOn(keys.filter((_key, index) => index % senders === at)));
  return {
    sent,
    first: async (status, since = 0) => {
      const found = () => sent.find((one) => one.status === status && one.at > since);
      await expect.poll(found, { timeout: 30_000, interval: 10 }).toBeDefined();
      return found() as Sent;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

type Outcome = { lost: number; wrong: number; healed: number[] };

/** Kills the primary during sends and promotes the standby, before or after the address moves to it. */
async function failOver({ pair, address, moved, listed, keys }: Stage, isMovedFirst: boolean): Promise<Outcome> {
  const half = keys.length / 2;
  const all = [keepSending(moved, keys.slice(0, half)), keepSending(listed, keys.slice(half))];
  await Promise.all(all.map(({ first }) => first(200)));
  await pause(Math.random() * 300);
  await pair.killPrimary();
  const killedAt = performance.now();
  if (isMovedFirst) {
    address.moveTo(pair.standbyPort);
    await Promise.all(all.map(({ first }) => first(503, killedAt)));
  }
  await pair.promote();
  const promotedAt = performance.now();
  address.moveTo(pair.standbyPort, isMovedFirst ? 'left' : 'ended');
  const healed = await Promise.all(all.map(async ({ first }) => (await first(200, promotedAt)).at - promotedAt));
  await Promise.all(all.map(({ stop }) => stop()));
  const sent = all.flatMap((one) => one.sent);
  const stored = new Set((await pair.atStandby`select title from notifications`).map(({ title }) => title as string));
  return {
    lost: sent.filter(({ status, title }) => status === 200 && !stored.has(title)).length,
    wrong: sent.filter(({ code, title }) => code === 'unavailable' && stored.has(title)).length,
    healed,
  };
}

// The address leads to a standby that is not promoted, and back, while the pool's connections stay open.
async function leaveStandby({ pair, address, moved, keys }: Stage): Promise<void> {
  const key = keys[0] ?? '';
  const statusOf = async () => (await send(moved, key)).status;
  expect(await statusOf()).toBe(200);
  address.moveTo(pair.standbyPort);
  await expect.poll(statusOf, { timeout: 10_000 }).toBe(503);
  expect((await fetch(`${moved.url}/health/ready`)).status).toBe(503);
  address.moveTo(pair.primaryPort, 'left');
  await expect.poll(statusOf, { timeout: healMs, interval: 100 }).toBe(200);
}

// An asynchronous standby loses what it had not received.
const replications =
  process.env.FAULTS === 'full' ? (['synchronous', 'asynchronous'] as const) : (['synchronous'] as const);

test.each(replications)(
  'a failover to a standby during sends (%s) loses no replicated send and heals in 5 s (X2)',
  async (replication) => {
    const outcomes: Outcome[] = [];
    for (let round = 0; round < rounds(1, 10); round++)
      await onStage(replication, async (stage) => {
        if (round === 0) await leaveStandby(stage);
        outcomes.push(await failOver(stage, round % 2 === 0));
      });
    for (const { lost, wrong, healed } of outcomes) {
      expect(wrong).toBe(0);
      if (replication === 'synchronous') expect(lost).toBe(0);
      for (const ms of healed) expect(ms).toBeLessThan(healMs);
    }
  },
);
