import { readFileSync } from 'node:fs';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import writeWorkbook, { type Row, type Sheet } from 'write-excel-file/node';
import { findTable, listPeople, listUntaken } from '#app/owner/employees/import/find-people.ts';
import { readWorkbook } from '#app/owner/employees/import/read-workbook.ts';

async function readPeople(bytes: Uint8Array) {
  const sheets = await readWorkbook(bytes);
  if (typeof sheets === 'string') throw new Error(sheets);
  return sheets.map((sheet) => {
    const list = listPeople(findTable(sheet));
    const { people, skipped, table, hidden } = list;
    return {
      sheet: sheet.name,
      hidden,
      heading: table.headingLine,
      people: people.map(({ line, name, role, staffNumber }) => [line, name, role, staffNumber || []].flat().join(';')),
      skipped: skipped.map(({ line }) => line),
      untaken: listUntaken(list),
    };
  });
}

const write = async (sheets: Sheet<Buffer>[]) => new Uint8Array(await writeWorkbook(sheets).toBuffer());
const readRows = async (data: Row[]) => (await readPeople(await write([{ sheet: 'A', data }])))[0];
const rowsOf = (text: string): Row[] => text.split(' / ').map((row) => row.split(';'));
const stored = (name: string) => new Uint8Array(readFileSync(`e2e/owner/lists/${name}.xlsx`));

const day = (text: string) => ({ value: new Date(text), format: 'dd/mm/yyyy' });
const wide = (value: string): Row => [{ value, columnSpan: 6 }, ...Array<null>(5).fill(null)];
const tall = (value: string) => ({ value, rowSpan: 2 });

describe('a workbook gives its people, and says what it left out', () => {
  test('a form with a title, a heading of two rows, numbered columns, groups, a sum and signatures', async () => {
    const data: Row[] = [
      wide('DAFTAR KARYAWAN PT MAJU JAYA'),
      wide('Per 1 November 2026'),
      [],
      [...['No', 'NIK', 'Nama Lengkap', 'Jabatan'].map(tall), { value: 'Kontak', columnSpan: 2 }, null],
      [null, null, null, null, 'No HP', 'Tgl Masuk'],
      [1, 2, 3, 4, 5, 6],
      wide('KARYAWAN TETAP'),
      [1, '3171010101900001', 'BUDI SANTOSO', 'Kasir', 6.28123456789e11, day('2020-01-05')],
      [2, '3171010101900002', 'SITI AMINAH, S.KOM', 'Gudang', 6.2812345678e11, day('2021-02-05')],
      wide('KARYAWAN KONTRAK'),
      [3, '3171010101900003', 'AGUS', 'Sopir', null, day('2022-03-05')],
      [4],
      [5],
      [null, null, 'Total', 3],
      [],
      [null, null, null, null, 'Jakarta, 1 November 2026'],
      [null, null, 'Mengetahui,', null, 'Dibuat oleh,'],
      [],
      [null, null, 'Hartono', null, 'Sulastri'],
    ];
    const people = ['8;BUDI SANTOSO;Kasir', '9;SITI AMINAH, S.KOM;Gudang', '11;AGUS;Sopir'];
    const left = { skipped: [7, 10, 14, 16, 17, 19], untaken: ['NIK', 'No HP', 'Tgl Masuk'] };
    expect(await readRows(data)).toEqual({ sheet: 'A', hidden: 0, heading: 5, people, ...left });
  });

  test('an English export with two columns of names, merged departments and numbers of employees', async () => {
    const data: Row[] = [
      ['Employee ID', 'First Name', 'Last Name', 'Department', 'Phone', 'Email'],
      [1001, 'Budi', 'Santoso', { value: 'Production', rowSpan: 2 }, 628123456789, 'budi@example.com'],
      [1002, 'Siti', null, null, 628123456780, null],
      [1003, 'Agus', 'Wijaya', 'Warehouse', null, null],
    ];
    expect(await readRows(data)).toMatchObject({
      people: ['2;Budi Santoso;Production;1001', '3;Siti;Production;1002', '4;Agus Wijaya;Warehouse;1003'],
      untaken: ['Phone', 'Email'],
    });
  });

  test('several sheets, an empty one among them', async () => {
    const sheets = [
      { sheet: 'Info', data: rowsOf('Isi lembar berikutnya') },
      { sheet: 'Kosong', data: [] },
      { sheet: 'Bandung', data: rowsOf('Nama;Unit Kerja / Budi;Toko') },
      { sheet: 'Jakarta & Bogor', data: rowsOf('Nama;Departemen / Siti;Gudang') },
    ];
    expect(await readPeople(await write(sheets))).toMatchObject([
      { sheet: 'Info', heading: null },
      { sheet: 'Bandung', people: ['2;Budi;Toko'] },
      { sheet: 'Jakarta & Bogor', people: ['2;Siti;Gudang'] },
    ]);
  });

  test('numbers of more than 15 digits are rounded, and taken for no staff numbers', async () => {
    const data = [...rowsOf('NIP;Nama;Jabatan'), [198_001_012_005_011_000, 'Budi', 'Kasir']];
    expect(await readRows(data)).toMatchObject({ people: ['2;Budi;Kasir'], untaken: ['NIP'] });
  });

  test('500 people in capitals with empty columns and rows between them', async () => {
    const people = Array.from({ length: 500 }, (_, at): Row[] => [
      [null, at + 1, `ORANG KE${'ABCDEFGHIJ'[at % 10]} ${at}`, null, 'Operator'],
      [],
    ]).flat();
    const sheet = await readRows([[null, 'No. Urut', 'NAMA PEGAWAI', null, 'BAGIAN'], ...people]);
    expect(sheet?.people).toHaveLength(500);
    expect(sheet).toMatchObject({ skipped: [], untaken: [] });
  });

  // LibreOffice 7.4 wrote both: a plain table with dates, and a form like the first one above.
  test.each([
    ['libreoffice-plain', 12, '2;Budi Santoso;Staff Gudang', ['Tanggal Masuk', 'Telepon']],
    ['libreoffice-form', 10, '8;BUDI SANTOSO;Staff Gudang', ['NIK', 'Tgl Masuk', 'No HP', 'Email', 'Divisi']],
  ])('%s, which LibreOffice wrote', async (name, count, first, untaken) => {
    const [sheet] = await readPeople(stored(name));
    expect([sheet?.people.length, sheet?.people[0], sheet?.untaken]).toEqual([count, first, untaken]);
  });
});

type Files = Record<string, Uint8Array>;

async function changed(change: (files: Files) => void, data = rowsOf('Nama;Jabatan / Budi;Kasir')) {
  const files = unzipSync(await write([{ sheet: 'A', data }]));
  change(files);
  return zipSync(files);
}

const sheetPath = 'xl/worksheets/sheet1.xml';
const rewrite = (files: Files, from: RegExp | string, to: string, path = sheetPath) => {
  files[path] = strToU8(new TextDecoder().decode(files[path]).replace(from, to));
};

describe('what other programs write in other ways is read', () => {
  const numbered = (value: number, name: string): Row => [{ value, format: '0000' }, name, 'Kasir'];
  const staff = [...rowsOf('NIP;Nama;Jabatan'), numbered(17, 'Budi'), numbered(12_345, 'Siti')];
  const readChanged = async (change: (files: Files) => void) => (await readPeople(await changed(change, staff)))[0];

  test('a number keeps the zeros that its format puts before it', async () => {
    expect((await readRows(staff))?.people).toEqual(['2;Budi;Kasir;0017', '3;Siti;Kasir;12345']);
  });

  test('cells without addresses, in a file without its styles', async () => {
    const bare = await readChanged((files) => {
      rewrite(files, / r="[A-Z]+\d+"/g, '');
      delete files['xl/styles.xml'];
    });
    expect(bare?.people).toEqual(['2;Budi;Kasir;17', '3;Siti;Kasir;12345']);
  });

  test('who is in a hidden row is counted and left out', async () => {
    const filtered = await readChanged((files) => rewrite(files, /<row r="2"/, '$& hidden="1"'));
    expect(filtered).toMatchObject({ people: ['3;Siti;Kasir;12345'], hidden: 1 });
  });
});

describe('a hostile or foreign file is refused with its reason', () => {
  const makeBomb = () => changed((files) => Object.assign(files, { [sheetPath]: new Uint8Array(60_000_000) }));

  test('a zip that unpacks to more than 50 MB is not unpacked', async () => {
    const bomb = await makeBomb();
    expect(bomb.length).toBeLessThan(100_000);
    const started = performance.now();
    expect(await readWorkbook(bomb)).toBe('tooManyCells');
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('a zip that says less than it unpacks to gives no more than it says', async () => {
    const bomb = await makeBomb();
    const view = new DataView(bomb.buffer, bomb.byteOffset);
    for (let at = 0; at < bomb.length - 30; at++)
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === 60_000_000)
        view.setUint32(at + 24, 1000, true);
    expect(await readWorkbook(bomb)).toBe('damaged');
  });

  test('one cell at the far corner makes no table of billions', async () => {
    const corner = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>';
    const far = await changed((files) => rewrite(files, '</sheetData>', corner));
    expect(await readWorkbook(far)).toBe('tooManyCells');
  });

  test('a hidden sheet is not offered', async () => {
    const hidden = await changed((files) => rewrite(files, '<sheet ', '<sheet state="hidden" ', 'xl/workbook.xml'));
    expect(await readWorkbook(hidden)).toBe('noCells');
  });

  test('other zip files and broken ones are named', async () => {
    const xlsx = stored('libreoffice-plain');
    expect(await readWorkbook(zipSync({ 'content.xml': strToU8('<x/>') }))).toBe('openDocument');
    expect(await readWorkbook(zipSync({ 'word/document.xml': strToU8('<x/>') }))).toBe('damaged');
    expect(await readWorkbook(xlsx.subarray(0, xlsx.length / 2))).toBe('damaged');
    expect(await readWorkbook(await changed((files) => delete files[sheetPath]))).toBe('damaged');
  });
});
