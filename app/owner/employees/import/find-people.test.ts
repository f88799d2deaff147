import { describe, expect, test } from 'vitest';
import {
  areShouted,
  type Columns,
  calmName,
  chooseSheet,
  countSheet,
  findTable,
  listPeople,
  listUntaken,
} from '#app/owner/employees/import/find-people.ts';
import { parseText } from '#app/owner/employees/import/parse-list.ts';

function read(list: string, chosen?: Partial<Columns>) {
  const parsed = parseText(list.replaceAll(' / ', '\n'));
  if ('unclosedQuote' in parsed) throw new Error('unclosed quotation mark');
  return listPeople(findTable(parsed), chosen);
}

const peopleOf = (list: string) =>
  read(list)
    .people.map(({ name, role, staffNumber }) => [name, role, staffNumber || []].flat().join(';'))
    .join(' / ');

describe('the people of a list are found among what is none', () => {
  // `;` and `,` stand between the cells, ` / ` between the rows.
  const two = 'Budi;Kasir / Siti;Sopir';
  const lists: Record<string, [list: string, people?: string]> = {
    'below a title': ['DAFTAR KARYAWAN PT MAJU;; / ;; / No;Nama;Jabatan / 1;Budi;Kasir / 2;Siti;Sopir'],
    'below facts of the company': [
      'Nama Perusahaan;: PT Maju; / Periode;: November; / No;Nama;Divisi / 1;Budi;Kasir / 2;Siti;Sopir',
    ],
    'by the better of two columns': ['Nama;Divisi;Jabatan / Budi;Toko;Kasir / Siti;Toko;Sopir'],
    'by the position, not the form of address': ['Title,Name,Position / Mr,Budi,Kasir / Ms,Siti,Sopir'],
    'under two heading rows': ['No;Nama;Jabatan;Kontak; / ;;;HP;Email / 1;Budi;Kasir;0812; / 2;Siti;Sopir;0813;a@b.id'],
    'with signs in the heading': ['NO.;NAMA KARYAWAN/TI *;JABATAN (sekarang) / 1;Budi;Kasir / 2;Siti;Sopir'],
    'under a heading on every page': ['Nama;Jabatan;HP / Budi;Kasir;0812 / Nama;Jabatan;HP / Siti;Sopir;0813'],
    'above a sum with figures': ['No;Nama;Jabatan;Gaji / 1;Budi;Kasir;5 / 2;Siti;Sopir;6 / Total;;;11 / ;Jumlah;2;11'],
    'above three signatures': [
      'No;Nama;Jabatan;HP / 1;Budi;Kasir;1 / 2;Siti;Sopir;2 / ;Mengetahui,;Menyetujui,;Dibuat oleh, / ;A;B;C',
    ],
    'above a signature': ['Nama;Jabatan / Budi;Kasir / Siti;Sopir / Jakarta, 28 November 2026; / Hartono;Direktur'],
    'beside numbers without a heading': ['0,Budi,Kasir / 1,Siti,Sopir'],
    'beside codes without a heading': ['K-01;Budi;Kasir;0812 / K-02;Siti;Sopir;0813'],
    'where the role is "Staff"': ['Budi;Staff / Siti;Staff', 'Budi;Staff / Siti;Staff'],
    'where a name is that of the role': ['Nama;Jabatan;HP / Gudang;Gudang;0812', 'Gudang;Gudang'],
    'in a numbered list of names': ['1. Budi / 2. Siti', 'Budi; / Siti;'],
    'with short numbers as NIK': ['NIK;Nama;Jabatan / 017;Budi;Kasir', 'Budi;Kasir;017'],
    'without the NIK of the state': ['NIK;Nama;Jabatan / 3171010101900001;Budi;Kasir', 'Budi;Kasir'],
    'without numbers that Excel has rounded': ['NIP;Nama;Jabatan / 1,98E+17;Budi;Kasir', 'Budi;Kasir'],
    'where "Staff" and "Kontrak" are no headings': ['Budi;Kasir;Tetap / Siti;Staff;Kontrak', 'Budi;Kasir / Siti;Staff'],
    'without a NIK of the state after an apostrophe': ["NIK;Nama;Jabatan / '3171010101900001;Budi;Kasir", 'Budi;Kasir'],
    'without the NIK of the state as a formula': ['NIK,Nama,Jabatan / ="3171010101900001",Budi,Kasir', 'Budi;Kasir'],
    'without the NIK of the state with dots': ['NIK;Nama;Jabatan / 317101.010190.0001;Budi;Kasir', 'Budi;Kasir'],
    'with short numbers behind an apostrophe': ["NIK;Nama;Jabatan / '017;Budi;Kasir", 'Budi;Kasir;017'],
    'below a heading in row 20': [`${'PT Maju;; / '.repeat(19)}No;Nama;Jabatan / 1;Budi;Kasir / 2;Siti;Sopir`],
    'where a dash is an empty cell': ['No;NIK;Nama;Jabatan / 1;K1;Budi;Kasir / 2;-;Siti;--', 'Budi;Kasir;K1 / Siti;'],
    'between counted groups': [
      'No;Nama;Jabatan;HP / A;;;12 orang / 1;Budi;Kasir;0812 / B;;;3 orang / 2;Siti;Sopir;0813',
    ],
    'between groups': ['No;Nama;Jabatan;HP / A;KANTOR;; / 1;Budi;Kasir;0812 / B;GUDANG;; / 1;Siti;Sopir;0813 / 2;;;'],
    'below a second heading that is unknown, and numbers': [
      'No;Nama;Jenis Kelamin;;Jabatan / ;;L;P; / 1;2;3;4;5 / 1;Budi;v;;Kasir / 2;Siti;;v;Sopir',
    ],
    'beside the names of positions': [
      'NIK;Nama Posisi Saat Ini;Nama Karyawan / S1;Kasir;Budi / S2;Sopir;Siti',
      'Budi;Kasir;S1 / Siti;Sopir;S2',
    ],
    'beside the names of departments': ['Department Name,Emp Name,Position Name / Toko,Budi,Kasir / Toko,Siti,Sopir'],
    'with a whole name and its parts': [
      'Name,Given Name,Family Name,Organization / Budi Santoso,Budi,Santoso,Toko / Siti,Siti,,Toko',
      'Budi Santoso;Toko / Siti;Toko',
    ],
    'with last names, although one person repeats hers': [
      'First Name,Last Name,Job / Siti Aminah,Aminah,Kasir / Budi,Santoso,Sopir / Ani,Lestari,Kasir',
      'Siti Aminah Aminah;Kasir / Budi Santoso;Sopir / Ani Lestari;Kasir',
    ],
    'under one known heading of two': ['Nama Lengkap;Jbt / Budi;Kasir / Siti;Sopir', 'Budi; / Siti;'],
    'above a place and a month': [
      'No;Nama;Jabatan / 1;Budi;Kasir / 2;Siti;Sopir / ;;Bandung,   Desember 2025 / ;Hartono;Bendahara',
    ],
    'whose name starts as an end does': [
      'Nama;Jabatan;HP / Disiapkan Sari;Kasir;1 / Siti;Sopir;',
      'Disiapkan Sari;Kasir / Siti;Sopir',
    ],
    'below a note': ['Nama;Jabatan / Budi;Kasir / Catatan: cuti; / Siti;Sopir'],
    'once, if merged over two rows': ['No;Nama;Jabatan;HP / 1;Budi;Kasir;0812 / 1;Budi;Kasir;0813 / 2;Siti;Sopir;0814'],
    'by the organization’s title': ['Name,Organization Name,Organization Title / Budi,A,Kasir / Siti,A,Sopir'],
    'of schools': ['No;Nama;Status;Jenis PTK / 1;Budi;Honor;Kasir / 2;Siti;Honor;Sopir'],
    'with a missing name or role, for the preview': ['No;Nama;Jabatan;HP / 1;Budi;; / 2;;Sopir;0813', 'Budi; / ;Sopir'],
  };
  for (const [title, [list, people = two]] of Object.entries(lists))
    test(title, () => expect(peopleOf(list)).toBe(people));
});

test('what is not taken is named, and what is skipped', () => {
  const list = read('No;Nama;Bagian;No. Telp; / 1;Budi;Kasir;0812; / Tetap;;;; / 2;Siti;Sopir;;');
  expect(listUntaken(list)).toEqual(['No. Telp']);
  expect(list.skipped).toEqual([{ line: 3, text: 'Tetap' }]);
});

test('a staff number has many headings, and may be empty', () => {
  const headings = 'No. Staf,Nomor karyawan,Staff number,NIP,No. Staff,Employee #,Emp ID,AC-No.,NRK,ID Staff';
  for (const heading of headings.split(',')) {
    const { people } = read(`${heading};Nama;Jabatan / A1;Budi;Kasir / ;Siti;Sopir`);
    expect(people).toMatchObject([{ staffNumber: 'A1' }, { name: 'Siti', staffNumber: '' }]);
  }
});

test('people above the heading are named as skipped, facts in one cell are not', () => {
  const { people, skipped } = read('PT Maju;; / Ani;Sopir; / Nama;Jabatan;HP / Budi;Kasir;0812');
  expect(people.map(({ name }) => name)).toEqual(['Budi']);
  expect(skipped).toEqual([{ line: 2, text: 'Ani · Sopir' }]);
});

test('the sheet with a heading and most people is shown, not that of those who left', () => {
  const people = ['Budi;Kasir', 'Siti;Sopir', 'Ani;Kasir'];
  const sheet = (name: string, lines: string[]) => countSheet({ name, rows: lines.map((line) => line.split(';')) });
  const sheets = [
    sheet('Pindahan', people),
    sheet('Resign', ['Nama;Jabatan', ...people]),
    sheet('Cabang', ['Nama;Jabatan', 'Budi;Kasir']),
    sheet('Karyawan', ['Nama;Jabatan', 'Siti;Sopir', 'Ani;Kasir']),
  ];
  expect(chooseSheet(sheets)).toBe(3);
});

test('another column can be chosen for a field, or none', () => {
  const text = 'Nama,Panggilan,Jabatan,Divisi / Budi Santoso,Budi,Kasir,Toko';
  const list = read(text, { name: 1, role: 3 });
  expect(list.people).toEqual([{ line: 2, name: 'Budi', role: 'Toko' }]);
  expect(listUntaken(list)).toEqual(['Nama', 'Jabatan']);
  expect(read(text, { role: -1 }).people).toEqual([{ line: 2, name: 'Budi Santoso', role: '' }]);
});

test('a name in capitals is written as names are; others stay', () => {
  const names = {
    'BUDI SANTOSO': 'Budi Santoso',
    "SITI NUR'AINI, S.KOM, MM": "Siti Nur'aini, S.Kom, MM",
    'DRS. H. ABDUL-AZIZ': 'Drs. H. Abdul-Aziz',
    'Budi de Santoso': 'Budi de Santoso',
    'Drs. BUDI SANTOSO, S.Kom': 'Drs. Budi Santoso, S.Kom',
    'BUDI SANTOSO, SE., MM.': 'Budi Santoso, SE., MM.',
    'I GD. PUTU, A.Md.Keb': 'I Gd. Putu, A.Md.Keb',
    B: 'B',
  };
  for (const [name, calm] of Object.entries(names)) expect(calmName(name)).toBe(calm);
  const person = (name: string) => ({ line: 1, name, role: 'x' });
  expect(areShouted(['BUDI', 'SITI', 'Agus'].map(person))).toBe(true);
  expect(areShouted(['BUDI', 'Siti', 'Agus'].map(person))).toBe(false);
});
