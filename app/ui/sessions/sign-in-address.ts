'use client';

/** What became of a sign-in: in, or why not (`wait:<seconds>`, `CredentialsSignin`, or anything else that failed). */
export type SignInAnswer = 'signed-in' | { error: string };

// The library's own client would be 10 kB of every page for these two calls, which are its documented addresses.
async function post(address: string, fields: Record<string, string>): Promise<URL> {
  const { csrfToken } = (await (await fetch('/api/auth/csrf')).json()) as { csrfToken: string };
  const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' });
  const response = await fetch(address, { method: 'POST', body });
  const { url } = (await response.json()) as { url?: string };
  if (!url) throw new Error(`${address} answered ${response.status}`);
  return new URL(url, location.origin);
}

/** Signs in with a name and a password; throws when the service could not be asked. */
export async function signIn(username: string, password: string): Promise<SignInAnswer> {
  const fields = { username, password, callbackUrl: '/' };
  const error = (await post('/api/auth/callback/credentials', fields)).searchParams.get('error');
  return error === null ? 'signed-in' : { error };
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await post('/api/auth/signout', { callbackUrl: '/login' });
}
