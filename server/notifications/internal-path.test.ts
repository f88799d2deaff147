import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPath } from '#e2e/fixtures/paths.ts';
import { createRandom } from '#harness/random.ts';
import { isInternalPath } from '#server/notifications/internal-path.ts';

const origin = 'https://portal.example.test';
const nasty = fc.constantFrom(
  ...'/\\.%2f5c\t\n\r@:?#eE ',
  '//',
  '..',
  '%2e',
  '\u0000',
  '\u0085',
  '\uD800',
  'é',
  'javascript:',
);

test('L2–L8: every accepted path stays on the origin, and its pathname never begins with //', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 12 }), (parts) => {
      const url = `/${parts.join('')}`;
      if (!isInternalPath(url)) return;
      accepted++;
      const parsed = new URL(url, `${origin}/portal/notifications`);
      expect(parsed.origin).toBe(origin);
      expect(parsed.pathname.startsWith('//')).toBe(false);
      expect(new URL(parsed.pathname, origin).origin).toBe(origin);
    }),
    { numRuns: 50_000 },
  );
  expect(accepted).toBeGreaterThan(1000);
});

test('L3, L5: what does not begin with exactly one slash is refused', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => text.startsWith('/') || !isInternalPath(text)));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isInternalPath(`//${text}`)));
});

test('L2–L8: of 1,000,000 paths by chance, in the grammar that browsers read, none that is accepted leaves the portal', () => {
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
