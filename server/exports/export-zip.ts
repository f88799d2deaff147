import { setImmediate as nextTurn } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import type { Language } from '#platform/language.ts';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';

/** A table of an export. `rows` can be called again and returns the same rows. */
export type ZipTable = {
  name: string;
  rows: () => AsyncIterable<Record<string, unknown>>;
  columns: () => Promise<string[]>;
};

// Excel shows 1,048,576 rows of a file. A file in a zip without extensions has less than 4 GB.
const rowsPerFile = 1_000_000;
const jsonPieceLength = 64 * 1024;
const maxZipBytes = 4_000_000_000;
const level = 3;

/**
 * Writes a zip of README.txt and, for each table, `csv/<name>.csv` and `json/<name>.json`, in pieces of at least
 * `pieceBytes`, and waits for each. Over a million rows it has further files, `<name>-2.csv` and so on. Throws over 4
 * GB.
 */
export async function writeZip(
  { readme, language, tables }: { readme: string; language: Language; tables: ZipTable[] },
  take: (piece: Uint8Array) => Promise<void>,
  pieceBytes = 1024 * 1024,
): Promise<void> {
  const out = collect(take, pieceBytes);
  const zip = new Zip(out.push);
  const encoder = new TextEncoder();
  const addFile = async (name: string, pieces: AsyncIterable<string> | string[]) => {
    const file = new ZipDeflate(name, { level });
    zip.add(file);
    for await (const piece of pieces) {
      file.push(encoder.encode(piece));
      await out.flush(false);
      await nextTurn();
    }
    file.push(new Uint8Array(0), true);
  };
  const addAll = async (name: string, ending: string, rows: Rows, write: (part: Rows) => AsyncIterable<string>) => {
    const iterator = rows[Symbol.asyncIterator]();
    const state = { ended: false };
    for (let part = 1; part === 1 || !state.ended; part++)
      await addFile(`${name}${part === 1 ? '' : `-${part}`}.${ending}`, write(takeRows(iterator, state)));
  };
  await addFile('README.txt', [readme]);
  for (const { name, rows, columns } of tables) {
    const header = await columns();
    await addAll(`csv/${name}`, 'csv', rows(), (part) => writeCsv(header, asCsv(header, part), language));
    await addAll(`json/${name}`, 'json', rows(), writeJson);
  }
  zip.end();
  await out.flush(true);
}

function collect(take: (piece: Uint8Array) => Promise<void>, pieceBytes: number) {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let total = 0;
  return {
    push: (error: Error | null, bytes: Uint8Array) => {
      if (error) throw error;
      waiting.push(bytes);
      length += bytes.length;
      total += bytes.length;
      if (total > maxZipBytes) throw new Error('the export is larger than 4 GB, the limit of a zip');
    },
    flush: async (all: boolean) => {
      if (length === 0 || (length < pieceBytes && !all)) return;
      const piece = Buffer.concat(waiting);
      waiting = [];
      length = 0;
      await take(piece);
    },
  };
}

type Rows = AsyncIterable<Record<string, unknown>>;

// Up to one file's rows; the iterator goes on in the next file.
async function* takeRows(
  iterator: AsyncIterator<Record<string, unknown>>,
  state: { ended: boolean },
): Rows & AsyncGenerator {
  for (let count = 0; count < rowsPerFile; count++) {
    const { value, done } = await iterator.next();
    if (done) {
      state.ended = true;
      return;
    }
    yield value;
  }
}

async function* asCsv(header: string[], rows: Rows): AsyncGenerator<CsvRow> {
  for await (const row of rows) yield header.map((name) => asField(row[name]));
}

function asField(value: unknown): CsvRow[number] {
  if (value === null || value === undefined || value instanceof Date) return value ?? null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}

async function* writeJson(rows: Rows): AsyncGenerator<string> {
  let piece = '[';
  let separator = '\n';
  for await (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',\n';
    if (piece.length < jsonPieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]\n`;
}
