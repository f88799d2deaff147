import { afterEach, expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { handleWakeUp, onWakeUp, type RingTurn, type WakeUp } from '#db/wake-ups.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { CompanyFeed, type Counters } from '#server/feed/company-feed.ts';
import { lookupQueue, streamLimit } from '#server/feed/limits.ts';
import type { CachedSession } from '#server/feed/session-cache.ts';
import { bellRings, countStreams, openStream, type Ringer } from '#server/feed/stream.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const minute = 60_000;

afterEach(() => vi.useRealTimers());

function makeSession(accountId: number, companyId = 1): CachedSession {
  const feed = new CompanyFeed(companyId, { lastNo: 7, accessNo: 0 }, async () => {});
  const company = { companyId, companyName: 'Perusahaan Uji', timeZone: 'Asia/Jakarta' };
  const employee = { kind: 'employee', ...company, employeeId: accountId, name: 'Karyawan Uji' } as const;
  const ofBell = { bellOrigin: null, bellId: null };
  const ids = { accountId, sessionId: accountId, isConfirmed: true, endsSoon: false, sessionVersion: 1, ...ofBell };
  const times = { endsAt: performance.now() + 24 * 60 * minute, usedAt: 0, lastVisit: null };
  return { employee, ...ids, lastNo: 7, activeFromNo: 0, accessNo: 0, feed, ...times };
}

const silent = { isOn: false, isBell: false };
const bell = { isOn: true, isBell: true };
const portal = { isOn: true, isBell: false };

// Opens a stream and records what it writes, and when it ends.
function open(session: CachedSession, ringer: Ringer = { name: '', ...silent }) {
  const stream = { text: '', endedAt: 0 };
  const end = () => Object.assign(stream, { endedAt: performance.now() });
  const write = ({ plain }: { plain: Buffer }) => Object.assign(stream, { text: stream.text + plain });
  const sink = { write, countPendingBytes: () => 0, close: end, reset: end, onClose: () => {} };
  openStream(session, ringer, 7, () => sink);
  return stream;
}

test('streams that opened together end 15 to 30 minutes later, spread over that time', () => {
  vi.useFakeTimers();
  const opened = performance.now();
  const streams = Array.from({ length: 900 }, (_, index) => open(makeSession(index)));
  vi.advanceTimersByTime(31 * minute);
  const minutes = streams.map(({ endedAt }) => Math.floor((endedAt - opened) / minute));
  expect([Math.min(...minutes), countStreams()]).toEqual([15, 0]);
  // 60 on average.
  const perMinute = [...Map.groupBy(minutes, (at) => at).values()].map((some) => some.length);
  expect(Math.max(...perMinute)).toBeLessThan(120);
});

test('the 13th stream of an account ends the oldest, whose portal polls and connects after 10 s', () => {
  const session = makeSession(1);
  const streams = Array.from({ length: 13 }, () => open(session));
  expect(streams.map(({ endedAt }) => endedAt > 0)).toEqual([true, ...Array(12).fill(false)]);
  expect(streams[0]?.text).toMatch(/retry: 10000\n\n$/);
});

test('accounts of two companies with one number neither end nor silence each other’s streams', async () => {
  const [session, other] = [makeSession(3), makeSession(3, 2)];
  const stream = open(session, { name: '7:a', ...bell });
  for (let count = 0; count < 13; count++) open(other, { name: '7:b', ...portal });
  expect([stream.endedAt, await bellRings(session, '7:a')]).toEqual([0, true]);
});

const ringing = async (session: CachedSession) => {
  const bells = ['7:a', '7:b', '8:c', '7:d'];
  const rings = await Promise.all(bells.map((name) => bellRings(session, name)));
  return bells.filter((_, index) => rings[index]);
};

test('of one session a portal rings before a bell, and one bell before others', async () => {
  const session = makeSession(2);
  expect(await ringing(session)).toHaveLength(4);
  for (const name of ['7:a', '7:b', '8:c', '7:d']) open(session, { name, ...silent });
  expect(await ringing(session)).toHaveLength(4);
  for (const name of ['7:a', '7:b', '8:c']) open(session, { name, ...bell });
  expect(await ringing(session)).toEqual(['7:a', '8:c']);
  // A bell beside it in the same storage rings with it.
  open(session, { name: '7:d', ...portal });
  expect(await ringing(session)).toEqual(['8:c', '7:d']);
});

// What another process says to a question of this one.
function answerTurns(answer: (turn: RingTurn) => WakeUp[]): Disposable {
  const ignore = onWakeUp((wakeUp) => {
    if (typeof wakeUp === 'object' && 'bell' in wakeUp && !wakeUp.first) answer(wakeUp).forEach(handleWakeUp);
  });
  return { [Symbol.dispose]: ignore };
}

test('a portal of another process rings before a bell, and one bell before those of others', async () => {
  const session = makeSession(4);
  for (const name of ['7:a', '7:b']) open(session, { name, ...bell });
  {
    using _ = answerTurns((turn) => [{ ...turn, first: '07:x' }]);
    expect(await ringing(session)).toEqual([]);
  }
  using _ = answerTurns((turn) => [{ ...turn, first: '17:aa' }]);
  expect(await bellRings(session, '7:a')).toBe(true);
  const other = makeSession(5);
  open(other, { name: '7:b', ...bell });
  expect(await bellRings(other, '7:b')).toBe(false);
});

test('a process names the first stream of a session that another one asks for', async () => {
  const session = makeSession(6);
  for (const name of ['7:b', '7:a']) open(session, { name, ...bell });
  const said: WakeUp[] = [];
  const ignore = onWakeUp((wakeUp) => said.push(wakeUp));
  const turn = { companyId: 1, accountId: 6, bell: '7:y' };
  handleWakeUp(turn);
  handleWakeUp({ ...turn, bell: '8:y' });
  ignore();
  const answers = said.filter((wakeUp) => typeof wakeUp === 'object' && 'first' in wakeUp);
  expect(answers).toEqual([{ ...turn, first: '17:a' }]);
});

test('after a minute a feed forgets a notification, which another device may have read', async ({ company }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const key = await principalOf(await company.newKey());
  const { companyId } = key;
  const [counters] = await sql()<Counters[]>`
    select last_no as "lastNo", access_no as "accessNo" from companies where id = ${companyId}`;
  const feed = new CompanyFeed(companyId, counters as Counters, async () => {});
  const employee = await company.hire();
  await sendNotification(key, keyDraft, 'x');
  await feed.update();
  expect(feed.listSince(0, employee)).toMatchObject([{ no: 1 }]);
  vi.advanceTimersByTime(minute + 1);
  expect(feed.listSince(0, employee)).toBeNull();
  expect(feed.listSince(1, employee)).toEqual([]);
  await sql()`update notifications set created_at = now() - interval '61 seconds' where company_id = ${companyId}`;
  const later = new CompanyFeed(companyId, counters as Counters, async () => {});
  await later.update();
  expect(later.listSince(0, employee)).toBeNull();
});

test('a quarter of the files, at least 100, is kept free of streams; 50,000 streams at most', () => {
  const limits = [64, 200, 1024, 20_000, 1_048_576, Number.POSITIVE_INFINITY];
  expect(limits.map(streamLimit)).toEqual([0, 100, 768, 15_000, 50_000, 50_000]);
});

test('lookups start in different turns of the event loop, and 32 run at a time (X16)', async () => {
  let turn = 0;
  let isFinished = false;
  const countTurns = () => {
    turn += 1;
    if (!isFinished) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const begun: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked = Array.from({ length: 40 }, () =>
    lookupQueue(async () => {
      begun.push(turn);
      await released;
    }),
  );
  await expect.poll(() => begun.length).toBe(32);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  expect(begun).toHaveLength(32);
  release();
  await Promise.all(asked);
  isFinished = true;
  expect(begun).toHaveLength(40);
  for (const [place, at] of begun.entries()) if (place > 0) expect(at - (begun[place - 1] ?? 0)).toBeGreaterThan(1);
});
