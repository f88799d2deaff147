import { describe, expect, test } from 'vitest';
import { findTable, listPeople, type PeopleList } from '#app/owner/employees/import/find-people.ts';
import { decodeFile, parseText } from '#app/owner/employees/import/parse-list.ts';
import { languages } from '#platform/language.ts';
import { writeCsv } from '#server/exports/csv.ts';

function parseOrThrow(text: string): PeopleList {
  const parsed = parseText(text);
  if ('unclosedQuote' in parsed) throw new Error(`row ${parsed.unclosedQuote} has an unclosed quotation mark`);
  return listPeople(findTable(parsed));
}

const nameAndRole = (text: string) => parseOrThrow(text).people.map(({ name, role }) => [name, role]);

const twoPeople = [
  ['Uji Satu', 'Kasir'],
  ['Uji Dua', 'Gudang'],
];

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
  for (const [title, text] of Object.entries(formats)) test(title, () => expect(nameAndRole(text)).toEqual(twoPeople));
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

test('a list with one column has names without roles, and a missing cell is empty', () => {
  expect(nameAndRole('Uji Satu\nUji Dua')).toEqual([
    ['Uji Satu', ''],
    ['Uji Dua', ''],
  ]);
  expect(nameAndRole('nama\nUji Satu')).toEqual([['Uji Satu', '']]);
  expect(nameAndRole('Uji Satu;Kasir\nUji Dua\n;Gudang')).toEqual([
    ['Uji Satu', 'Kasir'],
    ['Uji Dua', ''],
    ['', 'Gudang'],
  ]);
});

test('people keep the row numbers of the sheet', () => {
  const lines = (text: string) => parseOrThrow(text).people.map(({ line }) => line);
  expect(lines('nama;peran\n\nUji;a\n;\nUji;b')).toEqual([3, 5]);
  expect(lines('sep=;\nUji;a')).toEqual([2]);
  expect(lines('"Uji\nSatu",a\nUji,b')).toEqual([1, 2]);
});

test('row 3 has an unclosed quotation mark', () => {
  expect(parseText('nama,peran\n"Uji, S.Kom",Kasir\n"Uji Dua,Gudang\nUji Tiga,Sopir')).toEqual({ unclosedQuote: 3 });
});

test('a text without people gives an empty list', () => {
  for (const text of ['', '\u{feff}', ' \n\t\n', ';;;', 'nama,peran']) expect(nameAndRole(text)).toEqual([]);
});

test('5,000 rows are parsed within 10 seconds', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `"Uji, ${at}";Peran ${at}`).join('\r\n');
  const started = performance.now();
  expect(parseOrThrow(text).people).toHaveLength(5000);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a list that the service wrote is read with the same names, in both languages', async () => {
  const names = [
    '-Budi',
    'Budi; Siti',
    'Budi, S.E.',
    "'-Budi",
    'Budi;-Siti',
    '=1+1',
    '"Ani" @rumah',
    '@Sari',
    'x,=1',
    "Ma'ruf",
  ];
  for (const language of languages)
    for (const some of [names, names.slice(0, 1), names.slice(1, 2), names.slice(2, 3)]) {
      let text = '';
      const rows = some.map((name, index) => [index + 7, name, '-Kasir; A', 'aktif', null, new Date(0)]);
      const heading = ['Nomor', 'Nama', 'Peran', 'Status', 'Akun', 'Undangan'];
      for await (const piece of writeCsv(heading, rows, language)) text += piece;
      expect(nameAndRole(text)).toEqual(some.map((name) => [name, '-Kasir; A']));
    }
});

test('a column with staff numbers is found by its heading alone', () => {
  const people = [
    { line: 2, name: 'Siti', role: 'Kasir', staffNumber: 'A-01' },
    { line: 3, name: 'Budi', role: 'Gudang', staffNumber: '' },
  ];
  for (const heading of [
    'No. Staf;Nama;Jabatan',
    'Nomor karyawan;Nama;Peran',
    'Staff number;Name;Role',
    'NIP;Nama;Bagian',
  ])
    expect(parseOrThrow(`${heading}\nA-01;Siti;Kasir\n;Budi;Gudang`)).toMatchObject({
      people,
      table: { headingLine: 1 },
    });
  expect(parseOrThrow('No;Nama;Peran\n1;Siti;Kasir')).toMatchObject({
    people: [{ line: 2, name: 'Siti', role: 'Kasir' }],
  });
  expect(parseOrThrow('A-01;Siti;Kasir')).not.toMatchObject({ people: [{ staffNumber: 'A-01' }] });
});

const name = 'Uji Éé ñ;Kasir\r\n';
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());

test('UTF-8 is decoded with and without a byte order mark, UTF-16 of either byte order with one', () => {
  const bytes = new TextEncoder().encode(name);
  expect(decodeFile(bytes)).toEqual({ text: name, isGuessed: false });
  expect(decodeFile(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]))).toEqual({ text: name, isGuessed: false });
  for (const marked of [utf16(`\u{feff}${name}`), swapped(utf16(`\u{feff}${name}`))])
    expect(decodeFile(marked)).toEqual({ text: name, isGuessed: false });
});

test('bytes that are not UTF-8 are decoded as Windows-1252, and the result says so', () => {
  const bytes = new Uint8Array([...Buffer.from('Ren', 'ascii'), 0xe9, ...Buffer.from(';Kasir ', 'ascii'), 0x80]);
  expect(decodeFile(bytes)).toEqual({ text: 'René;Kasir €', isGuessed: true });
});

test('UTF-16 without a byte order mark is known by the zeros between its letters', () => {
  for (const unmarked of [utf16(name), swapped(utf16(name))])
    expect(decodeFile(unmarked)).toEqual({ text: name, isGuessed: false });
});

test('what is no text is named by its bytes, not by its name', () => {
  const old = [0xd0, 0xcf, 0x11, 0xe0];
  expect(decodeFile(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0]))).toBe('workbook');
  expect(decodeFile(new Uint8Array([...old, 0, 0]))).toBe('oldExcel');
  expect(decodeFile(new Uint8Array([...old, 0, 0, ...utf16('EncryptedPackage')]))).toBe('locked');
  expect(decodeFile(new TextEncoder().encode('\r\n<table><tr><td>Nama</table>'))).toBe('webPage');
  expect(decodeFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0xff, 0]))).toBe('unreadable');
  expect(decodeFile(new Uint8Array())).toEqual({ text: '', isGuessed: false });
});
