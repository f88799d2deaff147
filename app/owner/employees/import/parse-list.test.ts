import { describe, expect, test } from 'vitest';
import { findTable, listPeople, type PeopleList } from '#app/owner/employees/import/find-people.ts';
import { type DecodedFile, decodeFile, parseText } from '#app/owner/employees/import/parse-list.ts';
import { languages } from '#platform/language.ts';
import { writeCsv } from '#server/exports/csv.ts';

function parseOrThrow(text: string): PeopleList {
  const parsed = parseText(text);
  if ('unclosedQuote' in parsed) throw new Error(`row ${parsed.unclosedQuote} has an unclosed quotation mark`);
  return listPeople(findTable(parsed));
}

const nameAndRole = (text: string) => parseOrThrow(text).people.map(({ name, role }) => [name, role]);

const twoPeople = ['Uji Satu', 'Kasir', 'Uji Dua', 'Gudang'];

describe('two people are read from each format that spreadsheets write', () => {
  const formats: Record<string, string> = {
    'commas without a heading are read': 'Uji Satu,Kasir\nUji Dua,Gudang',
    'semicolons, as an Indonesian Excel writes, are read': 'nama;peran\r\nUji Satu;Kasir\r\nUji Dua;Gudang\r\n',
    'tabs, as pasted from a spreadsheet, are read': 'Nama\tJabatan\nUji Satu\tKasir\nUji Dua\tGudang',
    'a byte order mark before the heading is ignored': '\u{feff}nama,peran\nUji Satu,Kasir\nUji Dua,Gudang',
    'bars, as a table in a text has, are read':
      '| Nama | Jabatan |\n|---|---|\n| Uji Satu | Kasir |\n| Uji Dua | Gudang |',
    'carriage returns alone end lines': 'Uji Satu,Kasir\rUji Dua,Gudang\r',
    'quotation marks around every cell are removed': '"nama","peran"\r\n"Uji Satu","Kasir"\r\n"Uji Dua","Gudang"\r\n',
    'blank rows and rows of separators are ignored': '\n;;\nUji Satu;Kasir\n\n ; \nUji Dua;Gudang\n;;\n\n',
    'an English heading in capitals gives the order of the columns': 'ROLE,FULL NAME\nKasir,Uji Satu\nGudang,Uji Dua',
    'columns that are not needed are ignored':
      'No;NIK;Nama Karyawan;Jabatan;Gaji\n1;17;Uji Satu;Kasir;1\n2;18;Uji Dua;Gudang;2',
    'row numbers without a heading are ignored': '1.\tUji Satu\tKasir\n2.\tUji Dua\tGudang',
    'a heading may contain stars and colons': 'Nama*:;Posisi :\nUji Satu;Kasir\nUji Dua;Gudang',
    'non-breaking and double spaces become single spaces': 'Uji\u{a0} Satu , Kasir \nUji  Dua,Gudang',
    'a line break within a cell becomes a space': '"Uji\nSatu",Kasir\n"Uji\r\nDua",Gudang',
    'Excel’s line with the separator is ignored': 'sep=;\r\nnama;peran\r\nUji Satu;Kasir\r\nUji Dua;Gudang',
  };
  for (const [title, text] of Object.entries(formats))
    test(title, () => expect(nameAndRole(text).flat()).toEqual(twoPeople));
});

describe('a name keeps its characters', () => {
  const names: [string, string, string][] = [
    ['a quoted name may contain a comma', '"Uji, S.Kom",Kasir\nUji Dua,Gudang', 'Uji, S.Kom'],
    ['a name between semicolons may contain a comma', 'Uji, S.Kom;Kasir\nUji, S.E.;Gudang', 'Uji, S.Kom'],
    ['a name between tabs may contain a comma', 'Uji, S.Kom\tKasir\nUji, S.E.\tGudang', 'Uji, S.Kom'],
    ['a quoted name may contain a semicolon', '"Uji; Satu";Kasir\nUji Dua;Gudang', 'Uji; Satu'],
    ['two quotation marks in a quoted name become one', '"Uji ""Satu"" Dua",Kasir', 'Uji "Satu" Dua'],
    ['an unquoted name may contain quotation marks', 'Uji "Satu" Dua,Kasir\nUji Dua,Gudang', 'Uji "Satu" Dua'],
    ['an unquoted name may start with a quotation mark', '"Satu" Uji,Kasir\nUji Dua,Gudang', '"Satu" Uji'],
    ['a name may contain an apostrophe and accents', "Ma'ruf Éé Ñ,Kasir", "Ma'ruf Éé Ñ"],
    ['a name may contain other scripts and emoji', 'محمد 李 😀,Kasir', 'محمد 李 😀'],
    ['a name may look like a formula', '=1+1,Kasir', '=1+1'],
    ['beside bare signs an apostrophe before a sign stays', "'-Uji,Kasir\n-Dua,Gudang", "'-Uji"],
    ['a name may start with a word of the heading', 'Nama Saya,Kasir', 'Nama Saya'],
  ];
  for (const [title, text, name] of names)
    test(title, () => expect(nameAndRole(text)[0]).toEqual([name, expect.any(String)]));
});

test('a list with one column has names without roles, a missing cell is empty, a text may have nobody', () => {
  for (const text of ['', '\u{feff}', ' \n\t\n', ';;;', 'nama,peran']) expect(nameAndRole(text)).toEqual([]);
  expect(nameAndRole('nama\nUji Satu').flat()).toEqual(['Uji Satu', '']);
  expect(nameAndRole('Uji Satu\nUji Dua').flat()).toEqual(['Uji Satu', '', 'Uji Dua', '']);
  expect(nameAndRole('A;Kasir\nB\n;Gudang').flat()).toEqual(['A', 'Kasir', 'B', '', '', 'Gudang']);
});

test('people keep the row numbers of the sheet, and an unclosed quotation mark has one', () => {
  const lines = (text: string) => parseOrThrow(text).people.map(({ line }) => line);
  expect(lines('nama;peran\n\nUji;a\n;\nUji;b')).toEqual([3, 5]);
  expect(lines('sep=;\nUji;a')).toEqual([2]);
  expect(lines('"Uji\nSatu",a\nUji,b')).toEqual([1, 2]);
  expect(parseText('nama,peran\n"Uji, S.Kom",Kasir\n"Uji Dua,Gudang\nUji Tiga,Sopir')).toEqual({ unclosedQuote: 3 });
});

test('5,000 rows are parsed within 10 seconds', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `"Uji, ${at}";Peran ${at}`).join('\r\n');
  const started = performance.now();
  expect(parseOrThrow(text).people).toHaveLength(5000);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a list that the service wrote is read with the same names, in both languages', async () => {
  const names = `-Budi|Budi; Siti|Budi, S.E.|'-Budi|Budi;-Siti|=1+1|"Ani" @rumah|@Sari|x,=1|Ma'ruf`.split('|');
  for (const language of languages)
    for (const some of [names, names.slice(0, 1), names.slice(1, 2), names.slice(2, 3)]) {
      let text = '';
      const rows = some.map((name, index) => [index + 7, name, '-Kasir; A', 'aktif', null, new Date(0)]);
      const heading = ['Nomor', 'Nama', 'Peran', 'Status', 'Akun', 'Undangan'];
      for await (const piece of writeCsv(heading, rows, language)) text += piece;
      expect(nameAndRole(text)).toEqual(some.map((name) => [name, '-Kasir; A']));
    }
});

const text = 'Uji Éé ñ;Kasir\r\n';
const marked = `\u{feff}${text}`;
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
const old = [0xd0, 0xcf, 0x11, 0xe0, 0, 0];

test.each<[string, Uint8Array, DecodedFile]>([
  ['UTF-8', utf8(text), { text, isGuessed: false }],
  ['UTF-8 with a byte order mark', utf8(marked), { text, isGuessed: false }],
  ['UTF-16 with a byte order mark', utf16(marked), { text, isGuessed: false }],
  ['UTF-16 of the other byte order', swapped(utf16(marked)), { text, isGuessed: false }],
  ['UTF-16 without a mark, by the zeros between letters,', utf16(text), { text, isGuessed: false }],
  ['UTF-16 of the other order without a mark', swapped(utf16(text)), { text, isGuessed: false }],
  ['Windows-1252, which is a guess,', new Uint8Array([0x52, 0xe9, 0x3b, 0x80]), { text: 'Ré;€', isGuessed: true }],
  ['an empty file', new Uint8Array(), { text: '', isGuessed: false }],
  ['a zip file', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'workbook'],
  ['an old file of Excel', new Uint8Array(old), 'oldExcel'],
  ['a file with a password', new Uint8Array([...old, ...utf16('EncryptedPackage')]), 'locked'],
  ['a web page', utf8('\r\n<table><tr><td>Nama</table>'), 'webPage'],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0xff, 0]), 'unreadable'],
])('%s is known by its bytes', (_, bytes, decoded) => expect(decodeFile(bytes)).toEqual(decoded));
