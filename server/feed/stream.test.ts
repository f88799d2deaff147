import { afterEach, expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { CompanyFeed, type Counters } from '#server/feed/company-feed.ts';
import type { CachedSession } from '#server/feed/session-cache.ts';
import { bellRings, countStreams, noteSound, openStream, type Ringer } from '#server/feed/stream.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const minute = 60_000;

afterEach(() => vi.useRealTimers());

function makeSession(accountId: number, companyId = 1): CachedSession {
  const feed = new CompanyFeed(companyId, { lastNo: 7, accessNo: 0 }, async () => {});
  const company = { companyId, companyName: 'Perusahaan Uji', timeZone: 'Asia/Jakarta' };
  const employee = { kind: 'employee', ...company, employeeId: accountId, name: 'Karyawan Uji' } as const;
  const ids = { accountId, sessionId: accountId, bellOrigin: null, bellId: null, sessionVersion: 1 };
  const times = { endsAt: performance.now() + 24 * 60 * minute, usedAt: 0, lastVisit: null };
  return { employee, ...ids, lastNo: 7, activeFromNo: 0, accessNo: 0, feed, ...times };
}

// Opens a stream and records what it writes, and when it ends.
function open(session: CachedSession, ringer: Ringer = '') {
  const stream = { text: '', endedAt: 0 };
  const end = () => {
    stream.endedAt = performance.now();
  };
  const write = ({ plain }: { plain: Buffer }) => {
    stream.text += plain;
  };
  openStream(session, ringer, 7, () => ({
    write,
    countPendingBytes: () => 0,
    close: end,
    reset: end,
    onClose: () => {},
  }));
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

const bell = { isOn: true, isBell: true };
const portal = { isOn: true, isBell: false };

test('accounts of two companies with one number neither end nor silence each other’s streams', () => {
  const [session, other] = [makeSession(3), makeSession(3, 2)];
  const stream = open(session, '7:a');
  for (let count = 0; count < 13; count++) open(other, '7:b');
  noteSound(session, '7:a', bell);
  noteSound(other, '7:b', portal);
  expect([stream.endedAt, bellRings(session, '7:a')]).toEqual([0, true]);
});

test('of one session a portal rings before a bell, and the bell that opened first before others', () => {
  const session = makeSession(2);
  const rings = () => ['7:a', '7:b', '8:c', '7:d'].filter((bell) => bellRings(session, bell));
  expect(rings()).toHaveLength(4);
  for (const ringer of ['7:a', '7:b', '8:c', '7:d']) open(session, ringer);
  expect(rings()).toHaveLength(4);
  for (const ringer of ['7:a', '7:b', '8:c']) noteSound(session, ringer, bell);
  expect(rings()).toEqual(['7:a', '8:c']);
  // A bell beside it in the same storage rings with it.
  noteSound(session, '7:d', portal);
  expect(rings()).toEqual(['8:c', '7:d']);
  noteSound(session, '7:d', { ...portal, isOn: false });
  const [first] = session.feed.subscribers;
  first?.end();
  expect(rings()).toEqual(['7:b', '8:c']);
});

test('after a minute a feed forgets a notification, which may have been read on another device', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  const { companyId } = key;
  const [counters] = await sql()<Counters[]>`
    select last_no as "lastNo", access_no as "accessNo" from companies where id = ${companyId}`;
  const feed = new CompanyFeed(companyId, counters as Counters, async () => {});
  const employee = await company.hire();
  const text = { title: 'Judul', body: 'Isi', kind: 'info', url: null } as const;
  await sendNotification(key, { ...text, recipients: { to: 'everyone' } }, 'x');
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
