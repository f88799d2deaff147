import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInternalPath } from '#server/internal-path.ts';

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

test('every accepted path stays on the origin, and its pathname never begins with //', () => {
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

test('what does not begin with exactly one slash is refused', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => text.startsWith('/') || !isInternalPath(text)));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isInternalPath(`//${text}`)));
});
