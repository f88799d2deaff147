import { knownGroup } from '#server/accounts/known-browser.ts';
import { busySeconds } from '#server/accounts/limits.ts';
import { addressGroup } from '#server/address-group.ts';

const maxPerNetwork = 40;
const maxPerAccount = 4;
const maxOfStrangers = 200;
const maxBlocks = 10_000;

type Gate = { running: Map<string, number>; strangers: number; blockedUntil: Map<string, number> };

// In the global object, because one process loads this file twice: once for the front, once in the
// bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: Gate | undefined };
const key = Symbol.for('staff-notification-api.sign-in-gate');
processGlobals[key] ??= { running: new Map(), strangers: 0, blockedUntil: new Map() };
const gate = processGlobals[key];

/** Remembers in this process that a network has no more attempts for some seconds. */
export function blockNetwork(network: string, seconds: number): void {
  const [oldest] = gate.blockedUntil.keys();
  if (gate.blockedUntil.size >= maxBlocks && oldest !== undefined) gate.blockedUntil.delete(oldest);
  gate.blockedUntil.set(network, performance.now() + seconds * 1000);
}

/** The seconds for which this process will not check a password for this network, or 0. */
export function secondsBlocked(network: string): number {
  const until = gate.blockedUntil.get(network) ?? 0;
  if (until > performance.now()) return Math.ceil((until - performance.now()) / 1000);
  gate.blockedUntil.delete(network);
  return 0;
}

/** The outcome at the gate: a sign-in that calls `leave` once at its end, or why it may not start. */
export type Entrance = { leave: () => void } | { waitSeconds: number } | { busySeconds: number };

/**
 * Decides before a page is asked whether a sign-in is worth its cost, from memory alone. At most 40
 * run at once for one network, 4 for the known browsers of an account and 200 of other browsers;
 * when these are taken, one for each further network. A known browser passes when its network is
 * blocked; whether the account knows it is checked later.
 */
export function enterSignIn(address: string, cookieHeader: string | null): Entrance {
  const known = knownGroup(cookieHeader);
  if (known) return enter(known, maxPerAccount, 0);
  const network = addressGroup(address);
  const waitSeconds = secondsBlocked(network);
  if (waitSeconds > 0) return { waitSeconds };
  return enter(network, gate.strangers < maxOfStrangers ? maxPerNetwork : 1, 1);
}

function enter(group: string, limit: number, strangers: 0 | 1): Entrance {
  const running = gate.running.get(group) ?? 0;
  if (running >= limit) return { busySeconds };
  gate.running.set(group, running + 1);
  gate.strangers += strangers;
  let isInside = true;
  const leave = () => {
    if (!isInside) return;
    isInside = false;
    gate.strangers -= strangers;
    const others = (gate.running.get(group) ?? 1) - 1;
    if (others > 0) gate.running.set(group, others);
    else gate.running.delete(group);
  };
  return { leave };
}
