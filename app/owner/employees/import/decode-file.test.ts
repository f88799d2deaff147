import { expect, test } from 'vitest';
import { decodeFile } from '#app/owner/employees/import/decode-file.ts';

const name = 'Uji Éé ñ;Kasir\r\n';
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());

test('UTF-8 is decoded with and without a byte order mark, UTF-16 of either byte order with one', () => {
  const bytes = new TextEncoder().encode(name);
  expect(decodeFile(bytes)).toEqual({ text: name, encoding: 'utf-8' });
  expect(decodeFile(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]))).toEqual({ text: name, encoding: 'utf-8' });
  for (const marked of [utf16(`\u{feff}${name}`), swapped(utf16(`\u{feff}${name}`))])
    expect(decodeFile(marked)).toEqual({ text: name, encoding: 'utf-16' });
});

test('bytes that are not UTF-8 are decoded as Windows-1252, and the result says so', () => {
  const bytes = new Uint8Array([...Buffer.from('Ren', 'ascii'), 0xe9, ...Buffer.from(';Kasir ', 'ascii'), 0x80]);
  expect(decodeFile(bytes)).toEqual({ text: 'René;Kasir €', encoding: 'windows-1252' });
});

test('spreadsheets and other binary files are refused with different reasons', () => {
  expect(decodeFile(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0]))).toBe('spreadsheet');
  expect(decodeFile(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]))).toBe('spreadsheet');
  expect(decodeFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0xff, 0]))).toBe('unreadable');
  expect(decodeFile(utf16(name))).toBe('unreadable');
  expect(decodeFile(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' });
});
