import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePlace, readTraces } from '#e2e/support/data/traces.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';
import { startWideningProxy } from '#e2e/support/proxies/proxy.ts';

/** Runs a program with a generated client (NOTIF_URL, NOTIF_KEY, NOTIF_EMPLOYEE) and returns what it printed. */
export type RunClient = (variables: Record<string, string>) => Promise<string>;

/** Generates and compiles a client in an empty folder and returns how to run its program. */
export type BuildClient = (folder: string) => Promise<RunClient>;

type Client = { needs: Program[]; build: BuildClient; parent?: string };

/** Tests the client of a generator, made in a folder of `parent`. It can only GET and POST, so 405 is left out. */
export function testClient(generator: string, { needs, build, parent = tmpdir() }: Client): void {
  describe.skipIf(lacks(...needs))(generator, () => {
    let folder: string;
    let run: RunClient;
    beforeAll(async () => {
      await mkdir(parent, { recursive: true });
      folder = await mkdtemp(join(parent, 'notif-client-'));
      run = await build(folder);
    }, 600_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test('its client reads, sends once, shows each failure, and accepts fields that are not documented', async () => {
      const proxy = await startWideningProxy(baseUrl);
      const { company, employee, key } = await makePlace(generator);
      const { companyName } = company.owner;
      const id = employee.employeeId;
      const running = run({ NOTIF_URL: proxy.url, NOTIF_KEY: key, NOTIF_EMPLOYEE: String(id) });
      const printed = await running.finally(proxy.stop);
      expect(printed.trim().split('\n')).toEqual([
        `ping: ${companyName}, ${generator}`,
        `karyawan: ${id} Karyawan Uji`,
        'terkirim: 1',
        '401 key_malformed -',
        '400 field_blank judul',
        '400 url_not_internal url',
        '404 employee_not_in_company user_id',
        '429 rate_limited -',
      ]);
      const { inbox } = await readTraces(company, employee);
      expect(inbox).toEqual([{ title: 'Gaji November', body: 'Slip gaji sudah tersedia.' }]);
    });
  });
}
