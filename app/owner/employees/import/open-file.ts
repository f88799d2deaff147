import { type DecodedFile, decodeFile, parseText } from '#app/owner/employees/import/parse-list.ts';
import type { Sheet, WorkbookProblem } from '#app/owner/employees/import/read-workbook.ts';

const maxFileBytes = 5_000_000;
const maxReadingMs = 30_000;

/** The sheets of a file, or a text whose cells cannot be told apart. */
export type OpenedFile = { encoding: Extract<DecodedFile, object>['encoding'] } & (
  | { sheets: (Sheet & { firstLine?: number })[] }
  | { text: string }
);

export type FileProblem = Exclude<Extract<DecodedFile, string>, 'workbook'> | WorkbookProblem | 'fileTooLarge';

/** Reads a file with people: Excel's in a worker, a text here. */
export async function openFile(file: File): Promise<OpenedFile | FileProblem> {
  if (file.size > maxFileBytes) return 'fileTooLarge';
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = decodeFile(bytes);
  if (decoded === 'workbook') {
    const sheets = await readInWorker(bytes);
    return typeof sheets === 'string' ? sheets : { encoding: 'utf-8', sheets };
  }
  if (typeof decoded === 'string') return decoded;
  const { text, encoding } = decoded;
  const parsed = parseText(text);
  return 'rows' in parsed ? { encoding, sheets: [{ name: '', ...parsed }] } : { encoding, text };
}

// A hostile file may need any time and memory, which a worker can be stopped from.
function readInWorker(bytes: Uint8Array): Promise<Sheet[] | WorkbookProblem> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = new Promise<Sheet[] | WorkbookProblem>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Sheet[] | WorkbookProblem>) => resolve(data);
    worker.onerror = () => resolve('notLoaded');
    timer = setTimeout(() => resolve('tooManyCells'), maxReadingMs);
  });
  worker.postMessage(bytes);
  return read.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
