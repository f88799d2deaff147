import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asPath, createRandom } from '#e2e/support/data/random.ts';
import { asReturnPath, draftLimits, isInternalPath } from '#server/notifications/field-rules.ts';

const origin = 'https://portal.example.test';
test('a link that does not begin with exactly one slash is refused (L3, L5)', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => text.startsWith('/') || !isInternalPath(text)));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isInternalPath(`//${text}`)));
});

test('a person returns to a path of this service, percent-encoded, and never to another host', () => {
  for (const evil of ['https://evil.test/', '//evil.test', '/\\evil.test', '/.//evil.test', undefined])
    expect(asReturnPath(evil, '/owner')).toBe('/owner');
  expect(asReturnPath('/owner/audit?q=é#日', '/')).toBe('/owner/audit?q=%C3%A9#%E6%97%A5');
});

test('of 1,000,000 random paths, no accepted one leaves the portal (L2–L8)', () => {
  const chance = createRandom(Date.now());
  const base = `${origin}/portal/notifications`;
  let accepted = 0;
  for (let made = 0; made < 1_000_000; made++) {
    const path = asPath(chance);
    if (!isInternalPath(path)) continue;
    accepted++;
    const { origin: there, pathname, href } = new URL(path, base);
    const again = new URL(href, base);
    if (there !== origin || pathname.startsWith('//') || again.origin !== origin || path.includes('\\'))
      expect.fail(JSON.stringify(path));
  }
  expect(accepted).toBeGreaterThan(100_000);
});

test('a column for the text of a message holds as many characters as a message may have', async () => {
  const columns = await sql()<{ table: string; name: keyof typeof draftLimits; limit: number }[]>`
    select table_name as "table", column_name as name, character_maximum_length as "limit"
    from information_schema.columns where table_schema = 'public' and column_name = any(${Object.keys(draftLimits)})`;
  const tables = columns.flatMap(({ table, name }) => (name === 'title' ? [table] : []));
  expect(tables.sort()).toEqual(['notifications', 'planned_sends', 'send_rules', 'send_templates']);
  expect(columns.filter(({ name, limit }) => limit !== draftLimits[name])).toEqual([]);
});
