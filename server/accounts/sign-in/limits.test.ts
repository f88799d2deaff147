import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asSubject, countUse, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { deletions } from '#server/jobs/hourly-jobs.ts';

const newPerson = () => subjectsOf({ companyId: randomInt(2 ** 31), accountId: randomInt(2 ** 31) });
const hashOf = (...parts: (string | number)[]) => asSubject(parts.join('\n'));
const repeat = <Value>(times: number, act: () => Promise<Value>) => Promise.all(Array.from({ length: times }, act));
const countedIn = async (...parts: (string | number)[]) => {
  const [row] = await sql()`select uses from limit_counters where subject = ${hashOf(...parts)}`;
  return row?.uses;
};

// The clock of a busy machine must not end a window during a test.
const openWindow = (...parts: (string | number)[]) =>
  sql()`insert into limit_counters (subject, uses, ends_at) values (${hashOf(...parts)}, 0, now() + interval '1 day')`;

test('of parallel uses exactly as many are allowed as the limit says; refused ones do not count', async () => {
  const who = newPerson();
  for (const window of ['minute', 'hour']) await openWindow('broadcast', 'account', window, who.account);
  const waits = await repeat(60, () => countUse('broadcast', who));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(limits.broadcast.account.minute);
  const before = await countedIn('broadcast', 'account', 'hour', who.account);
  await repeat(20, () => countUse('broadcast', who));
  expect(await countedIn('broadcast', 'account', 'hour', who.account)).toBe(before);
  expect(await countUse('send', who)).toBe(0);
  // Another account of the company goes on.
  expect(await countUse('broadcast', { ...newPerson(), company: who.company })).toBe(0);
});

test('accounts share what their company may do', async () => {
  const { company } = newPerson();
  const [first, second] = [newPerson(), newPerson()].map(({ account }) => ({ account, company }));
  if (!first || !second) throw new Error('two people');
  await countUse('export', first);
  await sql()`update limit_counters set uses = ${limits.export.company.day}
    where subject = ${hashOf('export', 'company', 'day', company)}`;
  expect(await countUse('export', second)).toBeGreaterThan(0);
});

test('a window begins with its first use; its count stays until it ends, and then goes', async () => {
  const who = newPerson();
  const ofHour = hashOf('export', 'account', 'hour', who.account);
  const endOfWindow = async () =>
    (await sql()`select ends_at as at from limit_counters where subject = ${ofHour}`)[0]?.at;
  const inAnHour = async () => (await sql()`select now() + interval '1 hour' as at`)[0]?.at;
  const earliest = await inAnHour();
  expect(await countUse('export', who)).toBe(0);
  const [end, latest] = [await endOfWindow(), await inAnHour()];
  expect([earliest, end, latest]).toEqual([earliest, end, latest].toSorted((one, other) => one - other));
  for (let used = 1; used < limits.export.account.hour; used++) expect(await countUse('export', who)).toBe(0);
  const seconds = await countUse('export', who);
  expect([seconds > 0 && seconds <= 3600, await endOfWindow()]).toEqual([true, end]);
  await sql()`update limit_counters set ends_at = now() - interval '1 s' where subject = ${ofHour}`;
  await deletions.get('limit_counters')?.();
  expect(await countedIn('export', 'account', 'hour', who.account)).toBeUndefined();
  expect(await countUse('export', who)).toBe(0);
  expect(await countedIn('export', 'account', 'day', who.account)).toBe(limits.export.account.hour + 1);
});

test('docs/security.md prints the limits', () => {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const printed = [...page.matchAll(/^(\w+) +([\d,–]+(?:\/[\d,–]+){2}) +(\S+)/gm)].map(([, ...cells]) => cells);
  const most = (count?: number) => count?.toLocaleString('en') ?? '–';
  const cell = ({ minute, hour, day }: Partial<Record<'minute' | 'hour' | 'day', number>> = {}) =>
    [minute, hour, day].map(most).join('/');
  const wanted = Object.entries<Partial<Record<string, object>>>(limits).map(([name, { company, ...one }]) => [
    name,
    ...[...Object.values(one), company].map((budget) => cell(budget)),
  ]);
  expect(printed).toEqual(wanted);
});
