/** The outcome of a sign-in; `waitSeconds` after too many failures. */
export type SignInOutcome = 'signed-in' | 'wrong-password' | { waitSeconds: number };

/** Signs this browser in. Throws when the service did not judge the password. */
export async function signIn(username: string, password: string): Promise<SignInOutcome> {
  const response = await fetch('/api/auth/sign-in', { method: 'POST', body: JSON.stringify({ username, password }) });
  return (await response.json()) as SignInOutcome;
}
