import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';
import { letterOf, type Sheet } from '#app/owner/employees/import/find-people.ts';

export type WorkbookProblem = 'tooManyCells' | 'openDocument' | 'damaged' | 'noCells' | 'notLoaded';

const maxUnpackedBytes = 50_000_000;
const maxCells = 2_000_000;

type Files = Record<string, Uint8Array>;

/** Reads the visible sheets of an .xlsx file that have cells. The rows of a merged cell all have its value. */
export async function readWorkbook(bytes: Uint8Array): Promise<Sheet[] | WorkbookProblem> {
  try {
    const files = unpack(bytes);
    if (typeof files === 'string') return files;
    const parts = readParts(files);
    if (!parts.every(({ cellCount }) => cellCount <= maxCells)) return 'tooManyCells';
    for (const { path, xml } of parts) if (xml) files[path] = strToU8(xml);
    // Packed again without compression: the library would start a worker, which the pages' policy forbids.
    const packed = zipSync(files, { level: 0 });
    const read = await readSheets(packed.buffer as ArrayBuffer);
    const sheets = parts.flatMap(({ isHidden, hiddenLines, digits, xml }, index) => {
      const { sheet: name = '', data = [] } = read[index] ?? {};
      if (isHidden) return [];
      const rows = data.map((cells, row) =>
        cells.map((value, column) => asText(value, digits.get(`${row} ${column}`))),
      );
      return [{ name, rows: fillMerged(rows, xml), hiddenLines }];
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

type Attributes = Record<string, string | undefined>;

const readAttributes = (text: string): Attributes =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, name, one, other]) => [name, one ?? other]),
  );

const readTags = (xml: string, tag: string): Attributes[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${tag}\\s([^<>]*)>`, 'g'))].map(([, text = '']) => readAttributes(text));

const textOf = (files: Files, path: string) => strFromU8(files[path] ?? new Uint8Array());

// The sheets in their order. A sheet with a chart has no cells.
function readParts(files: Files) {
  const relations = readTags(textOf(files, 'xl/_rels/workbook.xml.rels'), 'Relationship');
  const pathOf = ({ Target = '' }: Attributes = {}) => (Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  const digitsOf = readDigits(textOf(files, pathOf(relations.find(({ Type }) => Type?.endsWith('/styles')))));
  return readTags(textOf(files, 'xl/workbook.xml'), 'sheet').map(({ id, state }) => {
    const part = relations.find(({ Id, Type }) => Id === id && Type?.endsWith('/worksheet'));
    const isHidden = !part || (state !== undefined && state !== 'visible');
    return { isHidden, path: pathOf(part), ...completeCells(textOf(files, pathOf(part)), digitsOf) };
  });
}

// The digits that each style shows at least, such as 4 for the format `0000`.
function readDigits(styles: string): number[] {
  const formats = new Map(readTags(styles, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]));
  const [cells = ''] = /<(\w+:)?cellXfs.*<\/(\w+:)?cellXfs>/s.exec(styles) ?? [];
  return readTags(cells, 'xf').map(({ numFmtId }) => /^0*(?=;|$)/.exec(formats.get(numFmtId) ?? '')?.[0].length ?? 0);
}

const cellAt = (address: string): [row: number, column: number] => {
  const [, letters = '', digits = ''] = /^\$?([A-Z]+)\$?(\d+)$/.exec(address) ?? [];
  return [Number(digits) - 1, [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1];
};

const address = /\sr=["']([^"']*)/;
const style = /\ss=["']([^"']*)["']/;

// Some programs write cells without addresses, or with styles that the file lacks. The library takes neither. It makes
// a table of `cellCount` cells, from the first one to the last row and column with a value.
function completeCells(sheet: string, digitsOf: number[]) {
  let [row, column, rowCount, columnCount] = [-1, -1, 0, 0];
  const hiddenLines: number[] = [];
  const digits = new Map<string, number>();
  const xml = sheet.replace(/<((?:\w+:)?)(row|c)(\s[^<>]*?)?(\/?)>/g, (tag, prefix, name, text = '', end) => {
    const [, r] = address.exec(text) ?? [];
    if (name === 'row') {
      [row, column] = [r ? Number(r) - 1 : row + 1, -1];
      if (/\shidden=["'](1|true)/.test(text)) hiddenLines.push(row + 1);
      return tag;
    }
    [row, column] = r ? cellAt(r) : [row, column + 1];
    if (end) return '';
    rowCount = Math.max(rowCount, row + 1);
    columnCount = Math.max(columnCount, column + 1);
    const [, index] = style.exec(text) ?? [];
    const shown = digitsOf[Number(index)];
    if (shown) digits.set(`${row} ${column}`, shown);
    const known = shown === undefined ? text.replace(style, '') : text;
    return r && known === text ? tag : `<${prefix}c${r ? '' : ` r="${letterOf(column)}${row + 1}"`}${known}>`;
  });
  return { xml, hiddenLines, digits, cellCount: rowCount * columnCount };
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

function asText(value: unknown, digits = 0): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  // Excel keeps 15 digits of a number: a longer one shows itself as rounded.
  if (typeof value === 'number' && Math.abs(value) >= 1e15) return value.toExponential();
  const text = value === null || value === undefined ? '' : String(value);
  return typeof value === 'number' ? text.padStart(digits, '0') : text;
}
