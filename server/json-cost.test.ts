import { expect, test } from 'vitest';
import { isCheapJson } from '#server/json-cost.ts';

const isCheap = (text: string, maxValues = 10) => isCheapJson(Buffer.from(text), maxValues);

test('depth and number of values are limited, whatever the length', () => {
  expect(isCheap('[1,2,3,{"a":[4]}]')).toBe(true);
  expect(isCheap(`${'['.repeat(12)}${']'.repeat(12)}`, 100)).toBe(true);
  expect(isCheap(`${'['.repeat(13)}${']'.repeat(13)}`, 100)).toBe(false);
  expect(isCheap(`${'{"a":'.repeat(13)}1${'}'.repeat(13)}`, 100)).toBe(false);
  expect(isCheap(`[${'1,'.repeat(9)}1]`)).toBe(true);
  expect(isCheap(`[${'1,'.repeat(10)}1]`)).toBe(false);
  expect(isCheap('[]'.repeat(11))).toBe(false);
});

test('brackets and commas in a string are text, also after an escaped quote', () => {
  expect(isCheap(JSON.stringify([`${'[,'.repeat(100)}"\\${'{,'.repeat(100)}`]))).toBe(true);
  expect(isCheap(`["\\\\",${'[],'.repeat(10)}1]`)).toBe(false);
});
