import type { Sheet } from '#app/owner/employees/import/find-people.ts';
import { type DecodedFile, decodeFile, parseText } from '#app/owner/employees/import/parse-list.ts';
import type { WorkbookProblem } from '#app/owner/employees/import/read-workbook.ts';

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
