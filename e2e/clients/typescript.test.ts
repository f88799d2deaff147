import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, run } from '#e2e/clients/tools.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { startWideningProxy } from '#e2e/support/proxies/proxy.ts';
import { root } from '#e2e/support/service/service.ts';

const generators = join(root, 'e2e', 'generators');
const out = join(root, 'e2e', '.out');
let folder: string;

// Inside the project, so that packages resolve. `tsc` skips folders that begin with a dot.
beforeAll(async () => {
  await mkdir(out, { recursive: true });
  folder = await mkdtemp(join(out, 'clients-'));
  const document = await fetch(`${baseUrl}/api/v1/openapi.json`);
  await writeFile(join(folder, 'openapi.json'), await document.text());
  for (const name of ['openapi-fetch.ts', 'hey-api.ts']) await cp(join(generators, name), join(folder, name));
  const bin = join(generators, 'node_modules', '.bin');
  await run(join(bin, 'openapi-typescript'), ['openapi.json', '-o', 'schema.d.ts'], folder);
  await run(join(bin, 'openapi-ts'), ['-i', 'openapi.json', '-o', 'hey'], folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the documentation prints the tested versions and options of the generators', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(generators, 'package.json'), 'utf8'));
  const commands = (await printed('clients', 'en')).map(({ text }) => text);
  const hey = `npx @hey-api/openapi-ts@${devDependencies['@hey-api/openapi-ts']} -i`;
  const types = `npx openapi-typescript@${devDependencies['openapi-typescript']}`;
  const address = `"${baseUrl}/api/v1/openapi.json?lang=en" -o`;
  expect(commands).toContain(`${hey} ${address} client`);
  expect(commands).toContain(`${types} ${address} schema.d.ts`);
});

test('generated clients compile in strict mode and refuse what the contract forbids', async () => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: 'ES2023',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'hey'] }));
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.json'], folder);
});

type Asked = { base: string; key: string; employee: number };
type Client = {
  succeed: (asked: Asked) => Promise<{ company: string; ids: number[]; count?: number; remaining: string | null }>;
  fail: (asked: Asked) => Promise<{ status: number; failure: { code: string; field?: string } | undefined }[]>;
};

test.each(['openapi-fetch', 'hey-api'])(
  'a client made with %s passes ping, list, send and every failure',
  async (name) => {
    const client = (await import(join(folder, `${name}.ts`))) as Client;
    const company = await makeCompany();
    const { employeeId } = await company.hire();
    // Its answers have fields that the document does not name.
    const proxy = await startWideningProxy(baseUrl);
    try {
      const asked = { base: proxy.url, key: await company.newKey(), employee: employeeId };
      expect(await client.succeed(asked)).toEqual({
        company: company.owner.companyName,
        ids: [employeeId],
        count: 1,
        remaining: '57',
      });
      const failures = await client.fail({ ...asked, key: await company.newKey() });
      expect(failures.map(({ status, failure }) => [status, failure?.code, failure?.field])).toEqual([
        [400, 'field_missing', 'judul'],
        [400, 'aksi_unknown', 'aksi'],
        [400, 'user_id_not_integer', 'user_id'],
        [401, 'key_missing', undefined],
        [404, 'employee_not_in_company', 'user_id'],
        [405, 'method_not_allowed', undefined],
        [429, 'rate_limited', undefined],
      ]);
    } finally {
      await proxy.stop();
    }
  },
);

testClient('openapi-generator typescript-fetch', {
  needs: ['java 17', 'python3 venv'],
  parent: out,
  build: async (made) => {
    await generate(made, 'openapi-generator-cli generate -g typescript-fetch');
    await cp(join(generators, 'typescript-fetch.ts'), join(made, 'program.ts'));
    await writeFile(join(made, 'package.json'), '{ "type": "commonjs" }');
    const compilerOptions = {
      // Not `noUncheckedIndexedAccess`: the generator's own runtime.ts does not pass it.
      strict: true,
      skipLibCheck: true,
      outDir: 'compiled',
      types: ['node'],
      target: 'ES2023',
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      module: 'commonjs',
    };
    await writeFile(
      join(made, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['program.ts', 'client'] }),
    );
    await run(join(generators, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.json'], made);
    return (variables) => run(process.execPath, [join('compiled', 'program.js')], made, variables);
  },
});
