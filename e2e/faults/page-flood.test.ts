import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { megabytesOf } from '#e2e/support/service/processes.ts';
import { startService } from '#e2e/support/service/service.ts';

const part = (name: number) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n["$${name}"]\r\n`;
const parts = `${Array.from({ length: 3000 }, (_, at) => part(at)).join('')}--b--\r\n`;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const action = { 'Next-Action': actionNamed('chooseLanguageAction').id };
const text = { 'Content-Type': 'text/plain;charset=UTF-8' };
const form = { 'Content-Type': 'multipart/form-data; boundary=b' };

const hostile: [path: string, headers: Record<string, string>, body: string][] = [
  ['/login', { ...action, ...text }, nested(500_000)],
  ['/login', { ...action, ...text }, nested(8000)],
  ['/login', { ...action, ...form }, parts],
  ['/login', form, parts],
  ['/api/auth/sign-in', form, parts],
  ['/owner/employees/import/previews', { 'Content-Type': 'application/json' }, nested(500_000)],
];
const sent = 210;
const senders = 10;

test('hostile bodies at pages are refused unread, and their memory comes back', async () => {
  await makeCompany();
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const service = await startService({ DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', LOG_LEVEL: 'error' });
  const readMegabytes = () => megabytesOf(service.process.pid);
  for (let page = 0; page < 100; page++) await (await fetch(`${service.url}/login`)).text();
  const before = readMegabytes();
  const statuses = new Map<number, number>();
  const send = async (sender: number) => {
    for (let at = sender; at < sent; at += senders) {
      const [path, headers, body] = hostile[at % hostile.length] ?? ['/', {}, ''];
      // The service closes the connection while the body is still being sent.
      const answer = await fetch(service.url + path, {
        method: 'POST',
        headers: { ...headers, Origin: service.url },
        body,
      }).catch(() => null);
      await answer?.text();
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  expect([...statuses.keys()].filter((status) => ![0, 400, 401, 405, 413, 415].includes(status))).toEqual([]);
  // 20 %, and what a busy machine collects late.
  await expect.poll(readMegabytes, { timeout: 90_000, interval: 2000 }).toBeLessThan(before * 1.2 + 50);
});
