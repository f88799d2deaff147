import { beforeAll, expect, test } from 'vitest';
import { listBroken, pageTexts } from '#e2e/support/browser/broken-texts.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { addresses } from '#e2e/tenancy/addresses.ts';
import { anonymous, type Caller, usersOf } from '#e2e/tenancy/callers.ts';
import { type FullCompany, makeFullCompany } from '#e2e/tenancy/full-company.ts';

let ours: FullCompany;
beforeAll(async () => {
  ours = await makeFullCompany(`teks${Date.now()}`, 600_000);
});

// The documentation explains such words.
const pages = Object.entries(addresses).filter(([address]) => !/^\/(?:docs|llms|api|health)/.test(address));

async function listBrokenAt(caller: Caller, path: string, language: 'id' | 'en'): Promise<string[]> {
  const headers = { 'Accept-Language': language, ...caller.headers };
  const response = await fetch(baseUrl + path, { headers, redirect: 'manual' });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const texts = type.startsWith('text/html')
    ? pageTexts(text)
    : type.startsWith('text/csv')
      ? text.split(/[;\r\n]/)
      : [];
  return listBroken(texts).map((broken) => `${language} ${path}: ${broken}`);
}

test.each(['id', 'en'] as const)('no page and no CSV file contains a value that is not there: %s', async (language) => {
  const { owner, manager, employee } = usersOf(ours);
  const callers = {
    owner: [owner],
    manager: [owner, manager],
    employee: [employee],
    'signed in': [anonymous, owner],
    everyone: [anonymous],
  };
  const broken: string[] = [];
  for (const [, { audience, paths }] of pages) {
    for (const caller of callers[audience])
      for (const path of paths(ours.ids))
        if (!path.startsWith('/portal/stream')) broken.push(...(await listBrokenAt(caller, path, language)));
  }
  broken.push(...(await listBrokenAt(anonymous, `/invite/${ours.invitation}`, language)));
  expect(broken).toEqual([]);
});

test('a value that is not there is found in texts, names and CSV cells', () => {
  const page =
    '<p>undefined sudah <b>ditambahkan</b></p><i title="null" class="null"></i><script>null</script>{"a":NaN}';
  expect(listBroken(pageTexts(page))).toEqual(['undefined sudah', '{"a":NaN}', 'null']);
  expect(listBroken(['[object Object]', 'Annullierung', 'Pak Undefinedi'])).toEqual(['[object Object]']);
});
