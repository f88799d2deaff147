import { expect, test } from 'vitest';
import { makeCompany, password } from '#e2e/fixtures/company.ts';
import { freePort, type Service, startService } from '#e2e/fixtures/service.ts';

const appUrl = 'https://notif.example.test';

// Signs in as a browser behind a TLS proxy would, and answers the cookies that were set.
async function signIn({ url }: Service, username: string): Promise<string[]> {
  const first = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const cookies = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const body = new URLSearchParams({ csrfToken, username, password, json: 'true' });
  const headers = { Cookie: cookies.join('; '), 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${url}/api/auth/callback/credentials`, { method: 'POST', headers, body: String(body) });
  return answer.headers.getSetCookie();
}

test.each(['front', 'next start'])(
  'behind TLS the session cookie is Secure, HttpOnly and SameSite, and signs in: %s',
  async (way) => {
    const port = await freePort();
    const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)];
    const settings = {
      DATABASE_URL: process.env.DATABASE_URL,
      AUTH_SECRET: 'x'.repeat(40),
      APP_URL: appUrl,
      PORT: String(port),
    };
    const service =
      way === 'front'
        ? await startService({ ...settings, HOST: '127.0.0.1' })
        : await startService({ ...settings, NODE_ENV: 'production' }, next, /Ready in/);
    const company = await makeCompany();
    const cookie = (await signIn(service, company.username)).find((one) => one.includes('session-token')) ?? '';
    expect(cookie).toMatch(/^__Secure-next-auth\.session-token=/);
    for (const word of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(word);
    const page = await fetch(`${service.url}/owner`, {
      headers: { Cookie: cookie.split(';')[0] ?? '' },
      redirect: 'manual',
    });
    expect(page.status).toBe(200);
    await service.stop();
  },
);
