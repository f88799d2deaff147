import { password } from '#e2e/support/data/company.ts';

/**
 * What a request says beside its body: the origin of the page (null: none), the browser's cookies,
 * other headers.
 */
type From = { origin?: string | null; cookie?: string; headers?: Record<string, string> };

function post(url: string, path: string, body: object, from: From = {}): Promise<Response> {
  const { origin = new URL(url).origin, cookie, headers } = from;
  return fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(cookie && { cookie }),
      ...(origin !== null && { origin }),
    },
  });
}

/**
 * Requests a sign-in, for tests of the response. It sets the `Origin` itself; e2e/pages/sign-in.spec.ts
 * tests that of a browser. `openSessionOf` opens a session without a sign-in.
 */
export function requestSignIn(url: string, username: string, from?: From, secret = password): Promise<Response> {
  return post(url, '/api/auth/sign-in', { username, password: secret }, from);
}

/** Asks for a sign-out, as `requestSignIn`: the session of `from.cookie` ends. */
export function requestSignOut(url: string, from: From): Promise<Response> {
  return post(url, '/api/auth/sign-out', {}, from);
}

/** The session cookie that a response sets, as a `Cookie` header; empty when it sets none. */
export function sessionCookie(response: Response): string {
  const session = response.headers.getSetCookie().find((one) => one.includes('session-token'));
  return session?.split(';')[0] ?? '';
}

/** Signs in at a service and returns the session cookie as a `Cookie` header. */
export async function signInForCookie(url: string, username: string, from?: From): Promise<string> {
  return sessionCookie(await requestSignIn(url, username, from));
}
