import headings from '#messages/import-headings.json';

/** What a column of a list can be. A name can stand in two columns. */
export type Field = 'name' | 'lastName' | 'role' | 'staffNumber';
export const fields: Field[] = ['name', 'lastName', 'role', 'staffNumber'];

/** The index of the column of each field; -1: the list has none. */
export type Columns = Record<Field, number>;

/** A sheet of a list. A spreadsheet can hide rows of it, such as those that a filter leaves out. */
export type Sheet = { name: string; rows: string[][]; firstLine?: number; hiddenLines?: number[] };

/** A row of a sheet. `line` counts the rows of the sheet from 1. */
type Row = { line: number; cells: string[]; isHidden: boolean };

/** A row that is about no person, such as "Total". */
export type SkippedRow = { line: number; text: string };

/**
 * The rows of a list below its heading, which is in row `headingLine`; null: the list has none. `above` are the rows
 * with several cells before it. `names` are the headings of the columns, or their letters. `columns` is a guess, to be
 * shown. `rowNumber` is the index of the column with the numbers of the rows, or -1.
 */
export type PeopleTable = {
  rows: Row[];
  above: SkippedRow[];
  headingLine: number | null;
  names: string[];
  columns: Columns;
  rowNumber: number;
};

export type ListedPerson = { line: number; name: string; role: string; staffNumber?: string };

type Kind = Field | 'rowNumber' | 'other';

const wordsOf = (text: string) => text.split(', ');
const fillers = new Set(wordsOf(headings.filler));
const kinds = [...fields, 'rowNumber' as const, 'other' as const].map(
  (kind) => [kind, wordsOf(headings[kind])] as const,
);

// Line breaks in cells and non-breaking spaces from web pages become spaces.
const tidy = (cell: string) => cell.replace(/\s+/g, ' ').trim();
// Programs write a number as a text: '007, ="007". A dash is no value.
const readCell = (cell: string) => {
  const text = tidy(cell).replace(/^="(.*)"$|^'(?=\d)/, '$1');
  return /[\p{L}\p{N}#]/u.test(text) ? text : '';
};
const tidyHeading = (cell: string) => tidy(cell.toLowerCase().replace(/\(.*?\)|[^\p{L}\p{N}\s#/&]/gu, ' '));

const unsureRank = 100;

// What a heading says, and how well: a smaller rank is better. "Nama Karyawan" is read as "Nama", "Nama Jabatan" as
// "Jabatan", and "Jabatan/Divisi" as "Jabatan" when the whole is unknown.
function readHeading(cell: string): { kind: Kind; rank: number } | null {
  const whole = tidyHeading(cell);
  for (const text of [whole, ...whole.split(/[/&]/).map((part) => part.trim())]) {
    const short = tidy(text.replace(/\S+/g, (word) => (fillers.has(word) ? '' : word)));
    for (const word of [text, short, short.replace(/^nama | name$/, '')])
      for (const [kind, words] of kinds) if (words.includes(word)) return { kind, rank: words.indexOf(word) };
  }
  return /^nama | name$/.test(whole) ? { kind: 'name', rank: unsureRank } : null;
}

const maxHeadingRows = 30;
const bareRank = wordsOf(headings.name).indexOf('karyawan');

const integer = /^\d+\.?$/;

const filledOf = ({ cells }: Row) => cells.filter(Boolean);
const valuesOf = (rows: Row[], column: number) => rows.map(({ cells }) => cells[column] ?? '').filter(Boolean);
const asSkipped = (row: Row): SkippedRow => ({ line: row.line, text: filledOf(row).join(' · ') });

/** Finds the heading of a list in its first rows, and the columns with names, roles and staff numbers. */
export function findTable({ rows: all, firstLine = 1, hiddenLines }: Omit<Sheet, 'name'>): PeopleTable {
  const hidden = new Set(hiddenLines);
  const rows = all
    .map((cells, index) => ({ line: index + firstLine, cells: cells.map(readCell) }))
    .map((row) => ({ ...row, isHidden: hidden.has(row.line) }))
    .filter((row) => filledOf(row).length > 0);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const at = findHeading(rows);
  const [top, below] = at < 0 ? [] : rows.slice(at);
  // A second row of headings stands below merged ones. It has nothing else.
  const isDouble = below !== undefined && filledOf(below).every((cell) => readHeading(cell) !== null);
  const headings = Array.from(
    { length: width },
    (_, index) => (isDouble && below.cells[index]) || top?.cells[index] || '',
  );
  const body = rows.slice(at + (isDouble ? 2 : 1)).filter((row) => !isNumbering(row));
  return {
    rows: body,
    above: rows
      .slice(0, Math.max(0, at))
      .filter((row) => filledOf(row).length > 1 && findHeading([row]) < 0)
      .map(asSkipped),
    headingLine: top?.line ?? null,
    names: headings.map((heading, index) => heading || letterOf(index)),
    columns: top ? chooseColumns(headings, body) : guessColumns(body),
    rowNumber: findRowNumbers(headings, body),
  };
}

// Programs write the numbers of rows without a heading.
const findRowNumbers = (headings: string[], rows: Row[]) =>
  headings.findIndex((heading, column) => {
    if (heading !== '') return readHeading(heading)?.kind === 'rowNumber';
    const values = valuesOf(rows, column);
    return values.length > 0 && values.every((value) => integer.test(value));
  });

/** The letters of a column: A, B … Z, AA. */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

// The row with the most known headings, one of them of names. A lone "Staf" may be a role.
function findHeading(rows: Row[]): number {
  const scores = rows.slice(0, maxHeadingRows).map((row) => {
    const filled = filledOf(row);
    const known = filled.map(readHeading).filter((heading) => heading !== null);
    const isBeside = known.length === filled.length || known.some(({ kind }) => kind !== 'name' && kind !== 'other');
    const isNamed = known.some(
      ({ kind, rank }) => kind === 'name' && (rank < bareRank || (rank === unsureRank ? known.length > 1 : isBeside)),
    );
    return isNamed ? known.length : 0;
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? -1 : scores.indexOf(best);
}

// Forms number their columns in the row below the heading.
const isNumbering = (row: Row) => {
  const filled = filledOf(row);
  return filled.length > 2 && filled.every((cell, index) => cell.replace(/[().]/g, '') === String(index + 1));
};

const identityNumber = /^\D*(\d\D*){16}$/;

/** Whether a spreadsheet has cut a long number: 6.28E+11. */
export const isRounded = (value: string) => /^\d([.,]\d+)?E\+\d+$/i.test(value);

// A column "NIK" has the numbers of a company, or those of the state, which are not taken.
function chooseColumns(names: string[], rows: Row[]): Columns {
  const read = names.map(readHeading);
  const best = (wanted: Kind) =>
    read.reduce(
      (found, heading, index) =>
        heading?.kind === wanted && heading.rank < (read[found]?.rank ?? 1000) ? index : found,
      -1,
    );
  const name = best('name');
  const lastName = best('lastName');
  // Exports write the whole name, and beside it its parts.
  const whole = rows.filter(({ cells }) => cells[lastName] && cells[name]?.endsWith(` ${cells[lastName]}`));
  const isWhole = whole.length * 2 > valuesOf(rows, lastName).length;
  const staffNumber = best('staffNumber');
  const isForeign = valuesOf(rows, staffNumber).some((value) => identityNumber.test(value) || isRounded(value));
  return {
    name,
    lastName: isWhole || /lengkap|full ?name/i.test(names[name] ?? '') ? -1 : lastName,
    role: best('role'),
    staffNumber: isForeign ? -1 : staffNumber,
  };
}

const code = /^(\p{L}{0,4}[-./ ]?\d[\d\p{L}./+-]*\.?|\d[\d\s.,+/()-]*|\S+@\S+)$/u;

// Without a heading the first columns that are not numbers, dates or addresses are name and role.
function guessColumns(rows: Row[]): Columns {
  const people = rows.filter((row) => filledOf(row).length > 1);
  const isText = (column: number) => valuesOf(people, column).some((value) => !code.test(value));
  const width = people.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const [name = 0, role = 1] = Array.from({ length: width }, (_, index) => index).filter(isText);
  return { name, lastName: -1, role: role > name ? role : name + 1, staffNumber: -1 };
}

const startsWith = (words: string) =>
  new RegExp(`^(${words.replaceAll(', ', '|').replaceAll(' ', '[\\s-]')})(?![\\p{L}\\p{N}])`, 'iu');
const ends = startsWith(headings.end);
const totals = startsWith(headings.total);
const titles = /^(daftar|data|laporan|rekap|rekapitulasi|list) .*(karyawan|pegawai|staf|staff|employees?)/i;
const placeAndDay = /^[\p{L}. ]+, ?[\d .…_-]*\p{L}+ \d{4}$/u;

const counted = /^\d+[.)]\s*(?=\p{L})/u;

/** The people of a list by these columns, how many are `hidden`, and the rows that are about none. */
export type PeopleList = {
  table: PeopleTable;
  columns: Columns;
  people: ListedPerson[];
  hidden: number;
  skipped: SkippedRow[];
};

/**
 * Lists people by the guessed columns, or those that were `chosen`. Skips titles, groups, sums and signatures, and who
 * is in a hidden row. A row that has more than a name may be a person with a problem, which the preview says.
 */
export function listPeople(table: PeopleTable, chosen: Partial<Columns> = {}): PeopleList {
  const { rows, names, headingLine, rowNumber } = table;
  const columns = { ...table.columns, ...chosen };
  const people: ListedPerson[] = [];
  const skipped = [...table.above];
  const used = [rowNumber, columns.name, columns.lastName];
  const counts = rows.filter(({ cells }) => cells[columns.name]).map((row) => filledOf(row).length);
  const usual = counts.sort((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0;
  let hasEnded = false;
  let last = '';
  let hidden = 0;
  for (const row of rows) {
    const { line, cells } = row;
    const cell = (column: number) => cells[column] ?? '';
    const filled = filledOf(row);
    const first = filled[0] ?? '';
    const name = tidy(`${cell(columns.name)} ${cell(columns.lastName)}`);
    const hasMore = cells.some((value, index) => value && !used.includes(index));
    const isNumbered = integer.test(cell(rowNumber));
    const isFull = usual > 2 && filled.length >= usual;
    if (!isNumbered && !isFull && (ends.test(first) || placeAndDay.test(first))) hasEnded = true;
    else if (isNumbered || (rowNumber < 0 && isFull)) hasEnded = false;
    const isUnnumbered = rowNumber >= 0 && !isNumbered;
    const isGroup = name === '' ? !hasMore || isUnnumbered : !hasMore && usual > 2 && !isNumbered;
    const isLone = usual > 2 && filled.length === 1 && name === '';
    const isTotal = !isNumbered && (totals.test(first) || totals.test(name));
    const isTitle = filled.length === 1 && titles.test(first);
    // Cells that are merged over two rows give both the same number and name.
    const numbered = isNumbered && name !== '' ? `${cell(rowNumber)} ${name}` : line.toString();
    const isRepeated = headingLine !== null && name !== '' && cell(columns.name) === names[columns.name];
    if (hasEnded || isGroup || isLone || isTotal || isTitle || isRepeated || numbered === last) {
      if (/\p{L}/u.test(filled.join())) skipped.push(asSkipped(row));
      continue;
    }
    last = numbered;
    if (row.isHidden) hidden++;
    else
      people.push({
        line,
        name,
        role: cell(columns.role),
        ...(columns.staffNumber >= 0 && { staffNumber: cell(columns.staffNumber) }),
      });
  }
  // A list that was written by hand has the number before the name: "1. Budi".
  const isCounted = people.length > 1 && people.every(({ name }) => counted.test(name));
  if (isCounted) for (const person of people) person.name = person.name.replace(counted, '');
  return { table, columns, people, hidden, skipped };
}

export type CountedSheet = { name: string; table: PeopleTable; count: number };

export function countSheet(sheet: Sheet): CountedSheet {
  const table = findTable(sheet);
  return { name: sheet.name, table, count: listPeople(table).people.length };
}

const former = /resign|keluar(?!ga)|non[- ]?aktif|inactive|mantan|former/i;

/** The index of the sheet with most people: one with a heading before others, those who left last. */
export function chooseSheet(sheets: CountedSheet[]): number {
  const weights = sheets.map(
    ({ name, table, count }) => (table.headingLine === null ? 0 : 2e6) - (former.test(name) ? 1e6 : 0) + count,
  );
  return weights.indexOf(Math.max(...weights));
}

/** The columns that have a value somewhere. */
export const listColumns = ({ rows, names }: PeopleTable): number[] =>
  [...names.keys()].filter((column) => valuesOf(rows, column).length > 0);

/** The headings of the columns that are not taken. Numbers of rows are nobody's. */
export function listUntaken({ table, columns }: PeopleList): string[] {
  if (table.headingLine === null) return [];
  const known = [table.rowNumber, ...fields.map((field) => columns[field])];
  return listColumns(table)
    .filter((column) => !known.includes(column))
    .map((column) => table.names[column] ?? '');
}

const isLoud = (word: string) => /\p{Lu}{2}/u.test(word) && word === word.toUpperCase();
// Titles and degrees are often written as usual: "Drs. BUDI SANTOSO, S.Kom".
const isShouted = (name: string) => isLoud((name.split(',')[0] ?? '').replace(/\S*\.\S*/g, ''));

/** Whether most names are written in capitals. */
export const areShouted = (people: ListedPerson[]) =>
  people.length > 0 && people.filter(({ name }) => isShouted(name)).length * 2 > people.length;

/** Writes a name in capitals as names are written: "BUDI SANTOSO, S.KOM" becomes "Budi Santoso, S.Kom". */
export function calmName(name: string): string {
  if (!isShouted(name)) return name;
  const [own = '', ...degrees] = name.split(',');
  const calm = (text: string) =>
    text.replace(/\S+/g, (word) =>
      isLoud(word) || (/^\p{Lu}\./u.test(word) && word === word.toUpperCase())
        ? word
            .toLowerCase()
            .replace(/(^|[^\p{L}'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
        : word,
    );
  // A short degree without dots inside stays: SE, MM.
  const calmDegree = (text: string) => (/^\s*\p{Lu}{2,3}\.?\s*$/u.test(text) ? text : calm(text));
  return [calm(own), ...degrees.map(calmDegree)].join(',');
}
