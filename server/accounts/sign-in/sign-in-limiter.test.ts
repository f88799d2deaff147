import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { rememberBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { blockNetwork, enterSignIn } from '#server/accounts/sign-in/sign-in-limiter.ts';

const newCookie = (accountId = 2) => {
  const { name, value } = rememberBrowser(null, { companyId: 1, accountId, sessionVersion: 3 });
  return `${name}=${value}`;
};

const leaveAll = (entrances: ReturnType<typeof enterSignIn>[]) =>
  entrances.map((one) => ('leave' in one ? one.leave() : null));

test('40 sign-ins of one network run at once, and others and known browsers do not wait for them', () => {
  const address = randomUUID();
  const entrances = Array.from({ length: 41 }, () => enterSignIn(address, null));
  expect(entrances.filter((one) => 'leave' in one)).toHaveLength(40);
  expect(entrances.at(-1)).toEqual({ busySeconds: expect.any(Number) });
  const others = [enterSignIn(randomUUID(), null), enterSignIn(address, newCookie())];
  expect(others.filter((one) => 'leave' in one)).toHaveLength(2);
  leaveAll([...entrances, ...others]);
  // Leaving twice frees no second place.
  leaveAll(entrances.slice(0, 1));
  expect(
    leaveAll(Array.from({ length: 41 }, () => enterSignIn(address, null))).filter((one) => one === null),
  ).toHaveLength(1);
});

test('of 200 taken places each further network still gets one, an account in known browsers four', () => {
  const networks = Array.from({ length: 5 }, () => randomUUID());
  const strangers = networks.flatMap((network) => Array.from({ length: 40 }, () => enterSignIn(network, null)));
  const [further, another] = [randomUUID(), randomUUID()];
  const late = [further, further, another, networks[0] ?? ''].map((network) => enterSignIn(network, null));
  expect(late.map((one) => 'leave' in one)).toEqual([true, false, true, false]);
  strangers.push(...late);
  const known = [2, 2, 2, 2, 2, 3].map((accountId) => enterSignIn(randomUUID(), newCookie(accountId)));
  expect(known.map((one) => 'leave' in one)).toEqual([true, true, true, true, false, true]);
  leaveAll([...strangers, ...known]);
});

test('a blocked network is refused from memory, except its known browsers', () => {
  const address = randomUUID();
  blockNetwork(address, 60);
  expect(enterSignIn(address, null)).toEqual({ waitSeconds: expect.any(Number) });
  for (const wrong of ['known-browser=abc', 'known-browser='])
    expect(enterSignIn(address, wrong)).toHaveProperty('waitSeconds');
  const known = enterSignIn(address, newCookie());
  expect(known).toHaveProperty('leave');
  leaveAll([known]);
});
