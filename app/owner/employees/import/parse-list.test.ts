import { describe, expect, test } from 'vitest';
import { type ParsedList, parseList } from '#app/owner/employees/import/parse-list.ts';

function read(text: string): ParsedList {
  const list = parseList(text);
  if ('unclosedQuote' in list) throw new Error(`open quote in ${list.unclosedQuote}`);
  return list;
}

const pairs = (text: string) => read(text).people.map(({ name, role }) => [name, role]);

const two = [
  ['Uji Satu', 'Kasir'],
  ['Uji Dua', 'Gudang'],
];

describe('two people are read from every format that spreadsheets write', () => {
  const writings: Record<string, string> = {
    'commas, no heading': 'Uji Satu,Kasir\nUji Dua,Gudang',
    'semicolons, as Excel writes in Indonesia': 'nama;peran\r\nUji Satu;Kasir\r\nUji Dua;Gudang\r\n',
    'tabs, as a sheet pastes': 'Nama\tJabatan\nUji Satu\tKasir\nUji Dua\tGudang',
    'a byte order mark before a heading': '\u{feff}nama,peran\nUji Satu,Kasir\nUji Dua,Gudang',
    'an old Mac’s line ends': 'Uji Satu,Kasir\rUji Dua,Gudang\r',
    'quotes around everything': '"nama","peran"\r\n"Uji Satu","Kasir"\r\n"Uji Dua","Gudang"\r\n',
    'blank rows and rows of separators': '\n;;\nUji Satu;Kasir\n\n ; \nUji Dua;Gudang\n;;\n\n',
    'an English heading in capitals, columns the other way round': 'ROLE,FULL NAME\nKasir,Uji Satu\nGudang,Uji Dua',
    'more columns than needed': 'No;NIK;Nama Karyawan;Jabatan;Gaji\n1;17;Uji Satu;Kasir;1\n2;18;Uji Dua;Gudang;2',
    'running numbers without a heading': '1.\tUji Satu\tKasir\n2.\tUji Dua\tGudang',
    'a heading with stars and colons': 'Nama*:;Posisi :\nUji Satu;Kasir\nUji Dua;Gudang',
    'hard and doubled spaces': 'Uji\u{a0} Satu , Kasir \nUji  Dua,Gudang',
    'a line break within a cell': '"Uji\nSatu",Kasir\n"Uji\r\nDua",Gudang',
    'Excel’s line that names the separator': 'sep=;\r\nnama;peran\r\nUji Satu;Kasir\r\nUji Dua;Gudang',
  };
  for (const [what, text] of Object.entries(writings)) test(what, () => expect(pairs(text)).toEqual(two));
});

describe('a name may contain', () => {
  const names: [string, string, string][] = [
    ['a comma, quoted', '"Uji, S.Kom",Kasir\nUji Dua,Gudang', 'Uji, S.Kom'],
    ['a comma, between semicolons', 'Uji, S.Kom;Kasir\nUji, S.E.;Gudang', 'Uji, S.Kom'],
    ['a comma, between tabs', 'Uji, S.Kom\tKasir\nUji, S.E.\tGudang', 'Uji, S.Kom'],
    ['a semicolon, quoted', '"Uji; Satu";Kasir\nUji Dua;Gudang', 'Uji; Satu'],
    ['doubled quotes', '"Uji ""Satu"" Dua",Kasir', 'Uji "Satu" Dua'],
    ['quotes in the middle, bare', 'Uji "Satu" Dua,Kasir\nUji Dua,Gudang', 'Uji "Satu" Dua'],
    ['quotes at its start, bare', '"Satu" Uji,Kasir\nUji Dua,Gudang', '"Satu" Uji'],
    ['an apostrophe and accents', "Ma'ruf Éé Ñ,Kasir", "Ma'ruf Éé Ñ"],
    ['other scripts and emoji', 'محمد 李 😀,Kasir', 'محمد 李 😀'],
    ['a formula', '=1+1,Kasir', '=1+1'],
    ['a name that is a heading’s word only in part', 'Nama Saya,Kasir', 'Nama Saya'],
  ];
  for (const [what, text, name] of names) test(what, () => expect(pairs(text)[0]).toEqual([name, expect.any(String)]));
});

test('a list of one column has names without roles, and a missing cell is empty', () => {
  expect(pairs('Uji Satu\nUji Dua')).toEqual([
    ['Uji Satu', ''],
    ['Uji Dua', ''],
  ]);
  expect(pairs('nama\nUji Satu')).toEqual([['Uji Satu', '']]);
  expect(pairs('Uji Satu;Kasir\nUji Dua\n;Gudang')).toEqual([
    ['Uji Satu', 'Kasir'],
    ['Uji Dua', ''],
    ['', 'Gudang'],
  ]);
});

test('people keep the row numbers of the sheet', () => {
  const lines = (text: string) => read(text).people.map(({ line }) => line);
  expect(lines('nama;peran\n\nUji;a\n;\nUji;b')).toEqual([3, 5]);
  expect(lines('sep=;\nUji;a')).toEqual([2]);
  expect(lines('"Uji\nSatu",a\nUji,b')).toEqual([1, 2]);
});

test('an unclosed quotation mark returns its row', () => {
  expect(parseList('nama,peran\n"Uji, S.Kom",Kasir\n"Uji Dua,Gudang\nUji Tiga,Sopir')).toEqual({ unclosedQuote: 3 });
});

test('a text without people is an empty list', () => {
  for (const text of ['', '\u{feff}', ' \n\t\n', ';;;', 'nama,peran']) expect(pairs(text)).toEqual([]);
});

test('5,000 rows are parsed within 2 seconds', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `"Uji, ${at}";Peran ${at}`).join('\r\n');
  const started = performance.now();
  expect(read(text).people).toHaveLength(5000);
  expect(performance.now() - started).toBeLessThan(2000);
});
