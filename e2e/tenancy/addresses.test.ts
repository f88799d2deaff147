import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { builtAddresses, listOtherEntries } from '#e2e/support/service/build.ts';
import { addresses, interfaceAddress } from '#e2e/tenancy/addresses.ts';
import {
  anonymous,
  type Caller,
  checksumOf,
  keyCallers,
  makeEndedSessions,
  normalise,
  requestAs,
  usersOf,
} from '#e2e/tenancy/callers.ts';
import { type Ids, makeTwoCompanies, missing } from '#e2e/tenancy/full-company.ts';

const inTurn = pLimit(6);
const { ours, theirs } = await makeTwoCompanies();
const endedSessions = await makeEndedSessions(ours);
const before = await checksumOf(theirs.company.owner.companyId);

test('every address of the build is in the table of audiences; the only middleware sets headers', () => {
  expect(builtAddresses.map(({ route }) => route).toSorted()).toEqual(
    [...Object.keys(addresses), interfaceAddress].toSorted(),
  );
  // e2e/structure/proxy.test.ts checks which addresses pass it.
  expect(listOtherEntries()).toEqual(['/_middleware']);
});

const isOf = (audience: string, who: string) => audience === who || (audience === 'manager' && who === 'owner');
const isOpenTo = (audience: string, who: string) =>
  audience === 'everyone' || audience === 'signed in' || isOf(audience, who);

for (const [index, [address, row]] of Object.entries(addresses).entries()) {
  const { audience, paths, shows, looksUp } = row;
  const ask = (caller: Caller, ids: Ids) =>
    Promise.all(paths(ids).map((path) => inTurn(() => requestAs(caller, path))));
  const hear = async (caller: Caller, ids: Ids) => (await ask(caller, ids)).map((answer) => normalise(answer, ids));
  // Addresses without an id are the same for all; keep one.
  const different = (...all: Ids[]) => [...new Map(all.map((ids) => [paths(ids).join(), ids])).values()];

  test(`${address}: keys and ended sessions are answered like anonymous (T2, T9)`, async () => {
    const expected = await hear(anonymous, ours.ids);
    for (const { status } of expected) expect(status).toBeLessThan(500);
    const check = async (caller: Caller, ids: Ids) =>
      expect({ caller: caller.name, heard: await hear(caller, ids) }).toEqual({ caller: caller.name, heard: expected });
    const [keyed, ...others] = [...keyCallers(ours.key).reverse(), ...endedSessions];
    const [dismissed] = endedSessions;
    // Two of these callers for each address, in turn, because one function judges all of them.
    for (const at of [0, 1]) await check(others[(2 * index + at) % others.length] ?? anonymous, ours.ids);
    for (const ids of different(ours.ids, theirs.ids, missing)) {
      await check(keyed ?? anonymous, ids);
      await check(dismissed ?? anonymous, ids);
    }
  });

  test(`${address}: ids of another company are answered like missing ids (T8, T10)`, async () => {
    for (const [who, caller] of Object.entries(usersOf(ours))) {
      const own = await ask(caller, ours.ids);
      const [foreign, ...absent] = await Promise.all(different(theirs.ids, missing).map((ids) => hear(caller, ids)));
      for (const one of absent) expect(foreign).toEqual(one);
      expect(JSON.stringify([own, foreign])).not.toContain(theirs.marker);
      if (!isOpenTo(audience, who)) {
        // A manager who is redirected still gets the frame with the name and logo of their company.
        const asked = [...Object.values(theirs.ids), ...Object.values(ours.ids)];
        const refused = (await ask(caller, theirs.ids)).map((answer) => normalise(answer, asked));
        expect(own.map((answer) => normalise(answer, ours.ids))).toEqual(refused);
      }
      if (!isOf(audience, who)) continue;
      expect(own.map(({ status }) => status)).toEqual(own.map(() => 200));
      expect(foreign?.map(({ status }) => status)).toEqual(own.map(() => (looksUp ? 404 : 200)));
      if (shows) for (const { text } of own) expect(text).toContain(ours.marker);
    }
  });
}

test('no row of the other company changed', async () => {
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});
