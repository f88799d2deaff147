import { expect, test } from 'vitest';
import { classify } from './size.ts';

test.each([
  ['server/main.ts', 'product'],
  ['public/contract-test.mjs', 'product'],
  ['app/ui/frame.css', 'product'],
  ['server/keys/keys.test.ts', 'tests'],
  ['e2e/support/service/service.ts', 'tests'],
  ['bench/run.ts', 'tests'],
  ['README.md', 'document'],
  ['app/docs/content/errors.md', 'other'],
  ['app/docs/recipes/code/send.py', 'other'],
  ['db/migrations/0000_baseline.sql', 'other'],
  ['messages/en.json', 'other'],
])('%s counts as %s', (path, kind) => {
  expect(classify(path)).toBe(kind);
});
