import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asPath, createRandom, words } from '#e2e/support/data/random.ts';
import {
  asReturnPath,
  draftLimits,
  findLinkTarget,
  isInternalPath,
  readLinkBase,
} from '#server/notifications/field-rules.ts';
import { splitMarks } from '#server/notifications/text-marks.ts';

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

const base = 'https://hr.example.com/erp';

test('paths of this service stay here, others lead to the company portal, whose host they cannot choose', () => {
  for (const path of ['/portal', '/portal/settings', '/portal/notifications/5?x=1#y', '/owner', '/docs/start'])
    for (const linkBase of [base, null]) expect(findLinkTarget(path, linkBase)).toEqual({ href: path, host: null });
  const deep = { href: `${base}/gaji/2026-11?a=1#b`, host: 'hr.example.com' };
  expect(findLinkTarget('/gaji/2026-11?a=1#b', base)).toEqual(deep);
  expect(findLinkTarget('/portalku', base)?.host).toBe('hr.example.com');
  expect(findLinkTarget('/', base)?.href).toBe(`${base}/`);
  for (const path of ['/gaji/2026-11', '/', '/portalku']) expect(findLinkTarget(path, null)).toBeNull();
  for (const path of ['/../x', '/a/../../x', '/%2e%2e/x', '/./x'])
    expect(findLinkTarget(path, base)?.href).toBe(`${base}/x`);
  expect(findLinkTarget('/x/../portal/help', base)).toEqual({ href: '/portal/help', host: null });
  for (const path of ['/@evil.example', '/:80@evil.example/', '/.evil.example']) {
    const target = findLinkTarget(path, 'https://hr.example.com');
    expect(new URL(target?.href ?? '').hostname).toBe('hr.example.com');
  }
});

test('the address of a portal is https with a host; a trial may use this machine', () => {
  expect(readLinkBase(' https://HR.example.com/ ', false)).toEqual({ linkBase: 'https://hr.example.com' });
  const withPort = 'https://hr.example.com:8443/erp';
  expect(readLinkBase(`${withPort}/`, false)).toEqual({ linkBase: withPort });
  for (const text of ['hr.example.com', '', '/erp', 'https://'])
    expect(readLinkBase(text, true)).toBe('not-an-address');
  const others = 'http://hr.example.com javascript:alert(1) ftp://hr.example.com http://localhost.evil.example';
  for (const text of words(others)) expect(readLinkBase(text, true)).toBe('not-https');
  const host = 'hr.example.com';
  const more = `https://a@${host} https://a:b@${host} https://${host}?x https://${host}/# https:\\\\${host}`;
  for (const text of words(more)) expect(readLinkBase(text, true)).toBe('has-more');
  expect(readLinkBase('http://127.0.0.1:8069', true)).toEqual({ linkBase: 'http://127.0.0.1:8069' });
  expect(readLinkBase('http://127.0.0.1:8069', false)).toBe('not-https');
});

// Pieces as text with HTML's names of the marks.
const shown = (text: string) =>
  splitMarks(text)
    .map((piece) => piece.marks.reduceRight((inner, mark) => `<${mark}>${inner}</${mark}>`, piece.text))
    .join('');

test.each([
  [
    '*Rapat* jam _sembilan_, bukan ~delapan~',
    '<bold>Rapat</bold> jam <italic>sembilan</italic>, bukan <struck>delapan</struck>',
  ],
  ['*_Penting_*: baca', '<bold><italic>Penting</italic></bold>: baca'],
  ['(*awas*)', '(<bold>awas</bold>)'],
  ['*dua kata*', '<bold>dua kata</bold>'],
  ['*satu*\n*dua*', '<bold>satu</bold>\n<bold>dua</bold>'],
  ['*a*b*', '<bold>a*b</bold>'],
])('%j is shown with its marks', (text, marked) => {
  expect(shown(text)).toBe(marked);
});

test.each([
  ...'2 * 3 * 4|slip_gaji_november.pdf|https://contoh.example/_a_/*b*?c=~d~|*tidak\nsebaris*'.split('|'),
  ...'*tidak\u2028sebaris*|* bukan*|*bukan *|**|***|****tebal****|**tebal**|_|harga 5*3 dan 4*2|'.split('|'),
])('%j keeps its signs', (text) => {
  expect(shown(text)).toBe(text);
});

test('a hostile text loses nothing but signs, stays text and takes no time', () => {
  const marked = ['<script>*alert(1)*</script>', '*[klik](javascript:alert(1))*', '\u202e*terbalik*\u202c'];
  const odd = ['*👨‍👩‍👧 é*', '\ud83d*x*', '*\u0000*'];
  const long = ['*'.repeat(255), '*_~'.repeat(85), '*a '.repeat(63), '_*a*_ '.repeat(40)];
  const startedAt = performance.now();
  for (const text of [...marked, ...odd, ...long]) {
    const pieces = splitMarks(text);
    const rest = pieces.map((piece) => piece.text).join('');
    expect(rest.replace(/[*_~]/g, '')).toBe(text.replace(/[*_~]/g, ''));
    let at = 0;
    for (const letter of rest) at = text.indexOf(letter, at) + letter.length;
    expect(at, 'the letters keep their order').toBeGreaterThan(-1);
  }
  expect(performance.now() - startedAt).toBeLessThan(500);
});
