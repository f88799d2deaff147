import { password } from '#e2e/support/data/company.ts';
import { randomAddress } from '#e2e/support/data/random.ts';

/** What a request says beside its body: the origin of the page (null: none), the browser's cookies, other headers. */
type From = { origin?: string | null; cookie?: string; headers?: Record<string, string> };

function post(url: string, path: string, body: object, from: From = {}): Promise<Response> {
  const { origin = new URL(url).origin, cookie, headers } = from;
  const own = { ...(cookie && { cookie }), ...(origin !== null && { origin }) };
  const all = { 'content-type': 'application/json', ...headers, ...own };
  return fetch(url + path, { method: 'POST', redirect: 'manual', body: JSON.stringify(body), headers: all });
}

/** Requests a sign-in with an `Origin` of its own; e2e/pages/sign-in.spec.ts tests that of a browser. */
export function requestSignIn(url: string, username: string, from?: From, secret = password): Promise<Response> {
  return post(url, '/api/auth/sign-in', { username, password: secret }, from);
}

/** Asks for a sign-out, as `requestSignIn`: the session of `from.cookie` ends. */
export function requestSignOut(url: string, from: From): Promise<Response> {
  return post(url, '/api/auth/sign-out', {}, from);
}

/** The session cookie, or that of another name, that a response sets, as a `Cookie` header; empty when it sets none. */
export function sessionCookie(response: Response, name = 'session-token'): string {
  const session = response.headers.getSetCookie().find((one) => one.includes(name));
  return session?.split(';')[0] ?? '';
}

/** Signs in at a service and returns the session cookie as a `Cookie` header. */
export async function signInForCookie(url: string, username: string, from?: From): Promise<string> {
  return sessionCookie(await requestSignIn(url, username, from));
}

/** A client with cookies by host, for providers. Browser tests show the `Origin` that it sets itself. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #address: string;

  constructor(address = randomAddress()) {
    this.#address = address;
  }

  /** The cookies that a request to this address would have. */
  cookiesFor(url: string): Map<string, string> {
    const { host } = new URL(url);
    const found = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, found);
    return found;
  }

  /** Sends a GET, or a form from a page of the same host. Follows no redirect. */
  async request(url: string, fields?: Record<string, string>): Promise<Response> {
    const jar = this.cookiesFor(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, 'accept-language': 'en', 'x-forwarded-for': this.#address };
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...own, ...(fields && { origin: new URL(url).origin }) },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set) || value.join('=') === '') jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return response;
  }

  /** Where a response leads, as an absolute address, or null. */
  static next(response: Response): string | null {
    const refresh = response.headers.get('refresh')?.replace(/^0;url=/, '');
    const location = response.headers.get('location') ?? refresh;
    return location ? new URL(location, response.url).href : null;
  }

  /** Follows where a response leads, while the next address begins with `base`. Returns the next one. */
  async follow(response: Response, base: string): Promise<string> {
    let next = Visitor.next(response);
    for (let hops = 0; next?.startsWith(base) && hops < 10; hops++) next = Visitor.next(await this.request(next));
    return next ?? '';
  }
}
