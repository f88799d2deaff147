import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '#e2e/support/data/random.ts';
import { asPath } from '#e2e/support/http/paths.ts';
import { isInternalPath } from '#server/notifications/field-rules.ts';

const origin = 'https://portal.example.test';
test('a link that does not begin with exactly one slash is refused (L3, L5)', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => text.startsWith('/') || !isInternalPath(text)));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isInternalPath(`//${text}`)));
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
