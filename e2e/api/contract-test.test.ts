import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { baseUrl, contractTestFile, runContractTest } from '#e2e/support/http/interface.ts';
import { listen } from '#e2e/support/running.ts';

const listRecipients = async ({ owner }: Company) => {
  const rows = await sql()`select recipient_id as id from notifications where company_id = ${owner.companyId}`;
  return rows.map(({ id }) => id);
};

test('contract-test.mjs finds no deviation, and sends three to one employee only', async ({ company, employee }) => {
  await company.hire();
  const key = await company.newKey();
  const args = [baseUrl, '--employee', String(employee.employeeId), '--with-429'];
  const { code, lines, output } = await runContractTest(args, key);
  expect(lines.filter((line) => /^WRONG|^not tried/.test(line))).toEqual([]);
  expect(output).toContain('0 wrong, 0 not tried');
  expect(output).toContain(`3 sends to employee ${employee.employeeId}`);
  expect(code).toBe(0);
  expect(await listRecipients(company)).toEqual(Array(3).fill(employee.employeeId));
  expect(output).not.toContain(key);
  const served = await fetch(`${baseUrl}/contract-test.mjs`);
  expect([served.status, await served.text()]).toEqual([200, await readFile(contractTestFile, 'utf8')]);
});

test('without --employee it sends nothing and lists the rows that were not tried', async ({ company }) => {
  await company.hire();
  const { code, lines, output } = await runContractTest([`${baseUrl}/`, await company.newKey()]);
  expect([code, lines.filter((line) => /WRONG/.test(line))]).toEqual([0, []]);
  expect(lines.filter((line) => /^not tried.*needs --employee/.test(line))).toHaveLength(5);
  expect(Number(/; (\d+) requests with the key/.exec(output)?.[1])).toBeLessThanOrEqual(52);
  expect(await listRecipients(company)).toEqual([]);
});

test('for an employee who is not in the list it sends nothing and exits with 1', async ({ company }) => {
  const other = await (await makeCompany()).hire();
  const { code, output } = await runContractTest([baseUrl, `--employee=${other.employeeId}`], await company.newKey());
  expect(code).toBe(1);
  expect(output).toMatch(/WRONG {6}--employee/);
  expect(await listRecipients(company)).toEqual([]);
});

const unknownKey = `jss_${'a'.repeat(64)}`;

test.each<[string, number, string[], string | undefined, string]>([
  ['no address', 2, [], undefined, 'BASE must be'],
  ['no key', 2, [baseUrl], undefined, 'No key'],
  ['a key that is cut off', 2, [baseUrl, 'jss_abc'], undefined, '64 letters'],
  ['an unknown option', 2, [baseUrl, '--emploee', '7'], unknownKey, 'Unknown option'],
  ['one argument too many', 2, [baseUrl, unknownKey, '7'], undefined, 'Too many'],
  ['a rejected key', 1, [baseUrl], unknownKey, 'the key was not accepted'],
])('%s: it exits with %i and says what is wrong', async (_, expected, args, key, sentence) => {
  const { code, output } = await runContractTest(args, key);
  expect([code, output.includes('Usage:')]).toEqual([expected, expected === 2]);
  expect(output).toContain(sentence);
});

test('where a deployment answers HTML in place of its OpenAPI document, the checks run to their end', async () => {
  const server = createServer(({ url }, response) => {
    response.setHeader('X-RateLimit-Remaining', '60');
    response.end(url?.startsWith('/api/v1/notif.php') ? '{"ok":true}' : '<html>');
  });
  const { url: base, stop } = await listen(server);
  const { output } = await runContractTest([base], `jss_${'a'.repeat(64)}`);
  await stop();
  expect(output).toContain('not tried  400: isi that is too long');
  expect(output).not.toContain('the test itself');
});
