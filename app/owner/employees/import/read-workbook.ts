import { strFromU8, unzipSync, zipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';

/** A visible sheet of a workbook that has cells. */
export type Sheet = { name: string; rows: string[][] };

export type WorkbookProblem = 'tooManyCells' | 'openDocument' | 'damaged' | 'noCells' | 'notLoaded';

const maxUnpackedBytes = 50_000_000;
const maxCells = 2_000_000;

type Files = Record<string, Uint8Array>;

/** Reads the sheets of an .xlsx file. The rows of a merged cell all have its value. */
export async function readWorkbook(bytes: Uint8Array): Promise<Sheet[] | WorkbookProblem> {
  try {
    const files = unpack(bytes);
    if (typeof files === 'string') return files;
    const described = describeSheets(files);
    if (described.some(({ xml }) => countCells(xml) > maxCells)) return 'tooManyCells';
    // Packed again without compression: the library would start a worker, which the pages' policy forbids.
    const packed = zipSync(files, { level: 0 });
    const read = await readSheets(packed.buffer as ArrayBuffer);
    const sheets = read
      .map(({ sheet: name, data }, index) => ({ name, data, ...described[index] }))
      .filter(({ isHidden }) => !isHidden)
      .map(({ name, data, xml = '' }) => {
        const rows = data.map((row) => row.map(asText));
        return { name, rows: fillMerged(rows, xml) };
      });
    const filled = sheets.filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== '')));
    return filled.length > 0 ? filled : 'noCells';
  } catch {
    return 'damaged';
  }
}

// A small file can unpack to gigabytes, so the sizes are added up first. fflate writes no byte more than a size says.
function unpack(bytes: Uint8Array): Files | WorkbookProblem {
  let size = 0;
  const names = new Set<string>();
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    names.add(name);
    const isRead = /\.(xml|rels)$/.test(name) && !/(pivot|drawing|theme|comment|chart|calcChain|docProps)/i.test(name);
    if (isRead) size += originalSize;
    return isRead && size <= maxUnpackedBytes;
  };
  const files = unzipSync(bytes, { filter });
  if (size > maxUnpackedBytes) return 'tooManyCells';
  if (names.has('xl/workbook.xml')) return files;
  return names.has('content.xml') ? 'openDocument' : 'damaged';
}

type Attributes = Record<string, string>;

function readTags(xml: string, tag: string): Attributes[] {
  return [...xml.matchAll(new RegExp(`<(?:\\w+:)?${tag}\\s([^<>]*)>`, 'g'))].map(([, text = '']) =>
    Object.fromEntries(
      [...text.matchAll(/(\w+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, name, one, other]) => [name, one ?? other]),
    ),
  );
}

const textOf = (files: Files, path: string) => strFromU8(files[path] ?? new Uint8Array());

// The sheets in their order. A sheet with a chart has no cells.
function describeSheets(files: Files): { isHidden: boolean; xml: string }[] {
  const parts = readTags(textOf(files, 'xl/_rels/workbook.xml.rels'), 'Relationship');
  return readTags(textOf(files, 'xl/workbook.xml'), 'sheet').map(({ id, state }) => {
    const part = parts.find(({ Id, Type }) => Id === id && Type?.endsWith('/worksheet'));
    const path = part?.Target?.startsWith('/') ? part.Target.slice(1) : `xl/${part?.Target}`;
    return { isHidden: !part || (state !== undefined && state !== 'visible'), xml: textOf(files, path) };
  });
}

const cellAt = (address: string): [row: number, column: number] => {
  const [, letters = '', digits = ''] = /^\$?([A-Z]+)\$?(\d+)$/.exec(address) ?? [];
  return [Number(digits) - 1, [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1];
};

// The library makes a table from the first cell to the last row and column that have a value.
function countCells(xml: string): number {
  let [rows, columns] = [0, 0];
  for (const { r = '' } of readTags(xml.replace(/<(?:\w+:)?c\s[^<>]*\/>/g, ''), 'c')) {
    const [row, column] = cellAt(r);
    rows = Math.max(rows, row + 1);
    columns = Math.max(columns, column + 1);
  }
  return rows * columns;
}

// A division that is merged beside many people is that of each.
function fillMerged(rows: string[][], xml: string): string[][] {
  for (const { ref = '' } of readTags(xml, 'mergeCell')) {
    const [[top, left] = [0, 0], [bottom] = [0]] = ref.split(':').map(cellAt);
    const value = rows[top]?.[left];
    if (value) for (const row of rows.slice(top, bottom + 1)) row[left] = value;
  }
  return rows;
}

function asText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  // Excel keeps 15 digits of a number: a longer one shows itself as rounded.
  if (typeof value === 'number' && Math.abs(value) >= 1e15) return value.toExponential();
  return value === null || value === undefined ? '' : String(value);
}
