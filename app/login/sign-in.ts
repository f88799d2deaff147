/**
 * The outcome of a sign-in; `waitSeconds` after too many failures, `busySeconds` when too many
 * people sign in at once.
 */
export type SignInOutcome = 'signed-in' | 'wrong-password' | { waitSeconds: number } | { busySeconds: number };

const maxTries = 4;

/**
 * Signs this browser in. Tries again by itself while too many people sign in at once, four times in
 * all. Throws when the service did not judge the password.
 */
export async function signIn(username: string, password: string): Promise<SignInOutcome> {
  for (let tries = 1; ; tries++) {
    const response = await fetch('/api/auth/sign-in', { method: 'POST', body: JSON.stringify({ username, password }) });
    const outcome = (await response.json()) as SignInOutcome;
    if (typeof outcome === 'string' || !('busySeconds' in outcome) || tries === maxTries) return outcome;
    await new Promise((resolve) => setTimeout(resolve, outcome.busySeconds * 1000));
  }
}
