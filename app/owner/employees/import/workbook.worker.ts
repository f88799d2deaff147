import { readWorkbook } from '#app/owner/employees/import/read-workbook.ts';

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => self.postMessage(await readWorkbook(data));
self.postMessage('ready');
