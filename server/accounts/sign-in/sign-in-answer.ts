import type { Busy, SlowedDown } from '#server/accounts/sign-in/sign-in.ts';
import { isInternalPath } from '#server/notifications/internal-path.ts';

type SignInOutcome = 'signed-in' | 'wrong-password' | SlowedDown | Busy;

/** Whether a body is a form that a browser sent without the page's scripts. */
export const isForm = (contentType: string | null | undefined) =>
  /^application\/x-www-form-urlencoded\b/i.test(contentType?.trim() ?? '');

/**
 * The response to a sign-in: 200, 401, 429 or 503 with the outcome as JSON, and `Retry-After` where
 * waiting helps. A form gets 303 to the page `returnTo` of this service, or back to the sign-in
 * page, which shows the problem; the address never contains what was typed.
 */
export function answerSignIn(
  outcome: SignInOutcome,
  asForm: boolean,
  returnTo = '/',
): { status: number; headers: Record<string, string>; body: string } {
  const target = isInternalPath(returnTo) ? returnTo : '/';
  const seconds = secondsOf(outcome);
  if (asForm) {
    const problem = outcome === 'signed-in' ? null : outcome === 'wrong-password' ? outcome : `${seconds}`;
    const query = new URLSearchParams({ problem: problem ?? '', returnTo: target });
    const location = problem === null ? target : `/login?${query}`;
    return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
  }
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  if (seconds > 0) headers['Retry-After'] = `${seconds}`;
  return { status: statusOf(outcome), headers, body: JSON.stringify(outcome) };
}

function secondsOf(outcome: SignInOutcome): number {
  if (typeof outcome === 'string') return 0;
  return 'waitSeconds' in outcome ? outcome.waitSeconds : outcome.busySeconds;
}

function statusOf(outcome: SignInOutcome): number {
  if (outcome === 'signed-in') return 200;
  if (outcome === 'wrong-password') return 401;
  return 'waitSeconds' in outcome ? 429 : 503;
}
