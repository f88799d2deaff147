import papaparse from 'papaparse';
import type { Sheet } from '#app/owner/employees/import/find-people.ts';
import type { WorkbookProblem } from '#app/owner/employees/import/read-workbook.ts';
import { escapeFormulas, unescapeFormulas } from '#server/exports/csv.ts';

const maxFileBytes = 5_000_000;
const maxReadingMs = 30_000;

/** The sheets of a file, or a text whose cells cannot be told apart. */
export type OpenedFile = { isGuessed: boolean } & ({ sheets: Sheet[] } | { text: string });

export type FileProblem = Exclude<Extract<DecodedFile, string>, 'workbook'> | WorkbookProblem | 'fileTooLarge';

/** Reads a file with people: Excel's in a worker, a text here. */
export async function openFile(file: File): Promise<OpenedFile | FileProblem> {
  if (file.size > maxFileBytes) return 'fileTooLarge';
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = decodeFile(bytes);
  if (decoded === 'workbook') {
    const sheets = await readInWorker(bytes);
    return typeof sheets === 'string' ? sheets : { isGuessed: false, sheets };
  }
  if (typeof decoded === 'string') return decoded;
  const { text, isGuessed } = decoded;
  const parsed = parseText(text);
  return 'rows' in parsed ? { isGuessed, sheets: [{ name: '', ...parsed }] } : { isGuessed, text };
}

// A hostile file may need any time and memory, which a worker can be stopped from. The time starts with its code.
function readInWorker(bytes: Uint8Array): Promise<Sheet[] | WorkbookProblem> {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return Promise.resolve('notLoaded');
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = new Promise<Sheet[] | WorkbookProblem>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<'ready' | Sheet[] | WorkbookProblem>) => {
      if (data !== 'ready') resolve(data);
      else timer = setTimeout(() => resolve('tooManyCells'), maxReadingMs);
    };
    worker.onerror = () => resolve('notLoaded');
  });
  worker.postMessage(bytes);
  return read.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

/** The text of a file and whether its encoding is a guess, `'workbook'` for a file of Excel, or the reason why it cannot be read. */
export type DecodedFile =
  | { text: string; isGuessed: boolean }
  | 'workbook'
  | 'locked'
  | 'oldExcel'
  | 'webPage'
  | 'unreadable';

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, index) => bytes[index] === byte);
const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/** Says what a file is, by its bytes. Decodes a text by its byte order mark, else as UTF-8, else as Windows-1252. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  if (startsWith(bytes, [0x50, 0x4b])) return 'workbook';
  // A file with a password has a stream of this name, in UTF-16.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return decode(bytes, 'latin1').includes([...'EncryptedPackage'].join('\0')) ? 'locked' : 'oldExcel';
  const decoded = decodeText(bytes);
  // Many programs write their tables as a web page, and call it .xls.
  return typeof decoded !== 'string' && /^\s*<(!doctype|html|table|\?xml|meta|style)/i.test(decoded.text)
    ? 'webPage'
    : decoded;
}

function decodeText(bytes: Uint8Array): Exclude<DecodedFile, 'workbook'> {
  const utf16 = findUtf16(bytes);
  if (utf16) return { text: decode(bytes, utf16), isGuessed: false };
  const text = decodeUtf8(bytes);
  if (text !== null && !text.includes('\0')) return { text, isGuessed: false };
  return bytes.includes(0) ? 'unreadable' : { text: decode(bytes, 'windows-1252'), isGuessed: true };
}

// Without a byte order mark every second byte of Latin letters is 0.
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  const some = bytes.subarray(0, 1000);
  const zeros = [0, 1].map((odd) => some.filter((byte, index) => index % 2 === odd && byte === 0).length / some.length);
  const [even = 0, odd = 0] = zeros;
  if (odd > 0.4 && even === 0) return 'utf-16le';
  return even > 0.4 && odd === 0 ? 'utf-16be' : null;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// In the order of their choice.
const delimiters = ['\t', ';', ',', '|'];

/** Reads the cells of CSV or of a spreadsheet, or returns the row of a quotation mark that is never closed. */
export function parseText(text: string): { rows: string[][]; firstLine: number } | { unclosedQuote: number } {
  const whole = text.replace(/^\u{feff}/u, '');
  // Excel can name the delimiter in a first line: `sep=;`.
  const [line = '', stated] = /^sep=([;,|\t])\r?\n?/i.exec(whole) ?? [];
  const body = whole.slice(line.length);
  const skipped = stated ? 1 : 0;
  const { rows, unclosedQuote } = stated ? split(body, stated) : chooseDelimiter(body);
  if (unclosedQuote !== null) return { unclosedQuote: unclosedQuote + 1 + skipped };
  return { rows: readOwn(rows), firstLine: 1 + skipped };
}

type Split = { rows: string[][]; unclosedQuote: number | null };

const noQuotes = '\0';

function split(text: string, delimiter: string, quoteChar = '"'): Split {
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter, quoteChar });
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes');
  return { rows: data, unclosedQuote: unclosed ? (unclosed.row ?? data.length - 1) : null };
}

// Chooses the delimiter with which most rows have the same number of cells, more than one. Of equal ones the first
// wins: a comma also precedes a degree in a name. An unclosed quotation mark may be part of a name: it is a plain
// character if all rows then have the same number of cells.
function chooseDelimiter(text: string): Split {
  const best = splitBest(text);
  if (best.unclosedQuote === null) return best;
  const plain = splitBest(text, noQuotes);
  return scoreOf(plain) === 1 ? plain : best;
}

const splitBest = (text: string, quoteChar?: string) =>
  delimiters
    .map((delimiter) => split(text, delimiter, quoteChar))
    .reduce((best, other) => (scoreOf(other) > scoreOf(best) ? other : best));

function scoreOf({ rows, unclosedQuote }: Split): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { length } of filled) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...counts.values()) / Math.max(1, filled.length) - (unclosedQuote === null ? 0 : 0.001);
}

// The service's own CSV files have an apostrophe before a cell's first sign such as `=`
// (server/exports/csv.ts). It is removed only if no cell of the list has a bare sign.
function readOwn(rows: string[][]): string[][] {
  const isOwn = rows.flat().every((cell) => escapeFormulas(unescapeFormulas(cell)) === cell);
  return isOwn ? rows.map((cells) => cells.map(unescapeFormulas)) : rows;
}
