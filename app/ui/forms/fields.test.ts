import { expect, test } from 'vitest';
import { done, label, optionalText } from '#app/ui/forms/fields.ts';

test('a name has one line; a note may have several', () => {
  for (const lineBreak of ['\n', '\r\n', '\u2028', '\u0085'])
    expect(label(120).safeParse(`Budi${lineBreak}Disetujui oleh pemilik`).success).toBe(false);
  expect(label(120).parse(' Budi Santoso ')).toBe('Budi Santoso');
  expect(optionalText(120).parse('satu\ndua')).toBe('satu\ndua');
});

test('an action without a result returns null, because JSON drops undefined', () => {
  expect(JSON.parse(JSON.stringify(done(undefined)))).toEqual({ value: null });
  expect(done(0)).toEqual({ value: 0 });
});
