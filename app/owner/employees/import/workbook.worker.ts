import { readWorkbook } from '#app/owner/employees/import/read-workbook.ts';

const scope = self as unknown as { onmessage: unknown; postMessage: (message: unknown) => void };

scope.onmessage = async ({ data }: MessageEvent<Uint8Array>) => scope.postMessage(await readWorkbook(data));
scope.postMessage('ready');
