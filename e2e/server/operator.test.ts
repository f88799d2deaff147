import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signInForCookie } from '#e2e/fixtures/cookie.ts';
import { makeCompany } from '#harness/company.ts';
import { noteSecret } from '#harness/secrets.ts';
import { freePort, root, startService } from '#harness/service.ts';
import { acceptOwnerLink } from '#server/accounts/owner-links.ts';

const url = process.env.SERVICE_URL ?? '';

type Outcome = { code: number; output: string; problems: string; link: string };

/** Runs `npm run operator`, with these settings beside those of the test run. */
function runOperator(args: string[], settings: Record<string, string | undefined>): Promise<Outcome> {
  const env = { ...process.env, ...settings } as NodeJS.ProcessEnv;
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['server/runtime/operator.ts', ...args],
      { cwd: root, env },
      (error, output, problems) => {
        const link = /http\S+\/invite\/\S+/.exec(output)?.[0] ?? '';
        if (link) noteSecret(link.split('/').at(-1) ?? '');
        resolve({ code: Number(error?.code ?? 0), output, problems, link });
      },
    );
  });
}

const onTestDatabase = (args: string[]) => runOperator(args, { APP_URL: url, LOG_LEVEL: 'silent' });

test('the operator’s link lets a locked-out owner choose a password; nothing else is printed', async () => {
  const company = await makeCompany();
  const before = await signInForCookie(url, company.username);
  const { code, output, problems, link } = await onTestDatabase(['sign-in-link', company.username]);
  expect([code, problems]).toEqual([0, '']);
  expect(
    output,
  ).toBe(`A link for Pemilik Uji, owner of ${company.owner.companyName}. It can be used once, within 30 minutes.
Give it to Pemilik Uji only. The person who opens it chooses the password.

  ${link}
`);
  expect(await (await fetch(link)).text()).toContain(company.username);
  expect(await acceptOwnerLink(link.split('/').at(-1) ?? '', '', 'sandi lain yang baru')).toHaveProperty('accountId');
  const owner = await fetch(`${url}/owner`, { headers: { cookie: before }, redirect: 'manual' });
  expect(owner.status).toBe(307);
});

test('the operator’s command explains an unknown name, an employee and wrong use in one sentence', async () => {
  const company = await makeCompany();
  const employee = await company.giveAccount(await company.hire());
  const expected: [string[], string][] = [
    [['sign-in-link', 'tidak-ada'], 'There is no account with the username tidak-ada.\n'],
    [
      ['sign-in-link', employee],
      `${employee} is not an owner. An owner of the company makes a new sign-in link for an employee.\n`,
    ],
  ];
  for (const [args, sentence] of expected)
    expect(await onTestDatabase(args)).toMatchObject({ code: 1, output: '', problems: sentence });
  for (const args of [['sign-in-link'], ['other', 'x']])
    expect(await onTestDatabase(args)).toMatchObject({ code: 1, problems: expect.stringMatching(/^Usage: /) });
  const unreachable = `postgres://nobody:x@127.0.0.1:${await freePort()}/none`;
  const lost = await runOperator(['sign-in-link', 'x'], { DATABASE_URL: unreachable, LOG_LEVEL: 'silent' });
  expect(lost).toMatchObject({ code: 1, problems: 'The database is out of reach (ECONNREFUSED). No link was made.\n' });
});

test('the operator’s command works on a trial, while it runs and while it is stopped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-operator-'));
  const port = String(await freePort());
  const settings = { DATA_DIR: dataDir, PORT: port };
  const own = { ...settings, DATABASE_URL: undefined, AUTH_SECRET: undefined, APP_URL: undefined };
  const start = () => startService(settings, ['server/main.ts'], /only its fingerprint|was shown at the first start/);
  try {
    const missing = await runOperator(['sign-in-link', 'pemilik'], own);
    expect(missing.problems).toBe(
      `There is no trial in ${dataDir}. Set DATABASE_URL, or DATA_DIR, as for the service.\n`,
    );
    const first = await start();
    expect((await stat(join(dataDir, 'instance.json'))).mode & 0o077).toBe(0);
    // Without PORT: the command learns the address from the running service.
    const running = await runOperator(['sign-in-link', 'pemilik'], { ...own, PORT: undefined });
    expect(running).toMatchObject({ code: 0, problems: '' });
    expect(running.link).toContain(first.url);
    expect(await (await fetch(running.link)).text()).toContain('Pemilik Contoh');
    await first.stop();
    const stopped = await runOperator(['sign-in-link', 'pemilik'], own);
    expect(stopped.output).toContain('The service is not running. Start it first: npm start');
    const again = await start();
    expect(await (await fetch(stopped.link)).text()).toContain('Pemilik Contoh');
    await again.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);
