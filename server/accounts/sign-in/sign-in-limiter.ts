import { processWide } from '#platform/config/process-wide.ts';
import { addressGroup } from '#platform/net/address-group.ts';
import { busySeconds } from '#server/accounts/sign-in/attempts.ts';
import { knownGroup } from '#server/accounts/sign-in/known-browser.ts';

const maxPerNetwork = 40;
const maxPerAccount = 4;
const maxOfStrangers = 200;
const maxBlocks = 10_000;

type Limiter = { running: Map<string, number>; strangers: number; blockedUntil: Map<string, number> };

const limiter = processWide(
  'sign-in-limiter',
  (): Limiter => ({ running: new Map(), strangers: 0, blockedUntil: new Map() }),
);

/** Remembers in this process that a network has no more attempts for some seconds. */
export function blockNetwork(network: string, seconds: number): void {
  const [oldest] = limiter.blockedUntil.keys();
  if (limiter.blockedUntil.size >= maxBlocks && oldest !== undefined) limiter.blockedUntil.delete(oldest);
  limiter.blockedUntil.set(network, performance.now() + seconds * 1000);
}

/** The seconds for which this process will not check a password for this network, or 0. */
export function secondsBlocked(network: string): number {
  const until = limiter.blockedUntil.get(network) ?? 0;
  if (until > performance.now()) return Math.ceil((until - performance.now()) / 1000);
  limiter.blockedUntil.delete(network);
  return 0;
}

/** The limiter's decision: admitted (call `leave` once at the end), or why not. */
type Entrance = { leave: () => void } | { waitSeconds: number } | { busySeconds: number };

/**
 * Decides from memory alone whether a sign-in may start. At most 40 run at once for one network,
 * and 4 for the known browsers of one account. At most 200 run from other browsers; beyond that,
 * one for each network. A blocked network does not stop a known browser. Whether the account knows
 * the browser is checked later.
 */
export function enterSignIn(address: string, cookieHeader: string | null): Entrance {
  const known = knownGroup(cookieHeader);
  if (known) return enter(known, maxPerAccount, 0);
  const network = addressGroup(address);
  const waitSeconds = secondsBlocked(network);
  if (waitSeconds > 0) return { waitSeconds };
  return enter(network, limiter.strangers < maxOfStrangers ? maxPerNetwork : 1, 1);
}

function enter(group: string, limit: number, strangers: 0 | 1): Entrance {
  const running = limiter.running.get(group) ?? 0;
  if (running >= limit) return { busySeconds };
  limiter.running.set(group, running + 1);
  limiter.strangers += strangers;
  let isInside = true;
  const leave = () => {
    if (!isInside) return;
    isInside = false;
    limiter.strangers -= strangers;
    const others = (limiter.running.get(group) ?? 1) - 1;
    if (others > 0) limiter.running.set(group, others);
    else limiter.running.delete(group);
  };
  return { leave };
}
