'use client';

import type { Message, WorkerStart } from '#app/portal/live/feed/channel.ts';

const restartMs = 3000;

/**
 * Starts the worker of this tab. A worker whose file cannot be loaded calls `onError` and is
 * started again after 3 s. Returns the function that stops it.
 */
export function startTabWorker(
  start: WorkerStart,
  onMessage: (message: Message) => void,
  onError: () => void,
): () => void {
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    worker = new Worker(new URL('../feed/tab.worker.ts', import.meta.url), { type: 'module' });
    worker.onerror = () => {
      worker?.terminate();
      onError();
      timer = setTimeout(begin, restartMs);
    };
    worker.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);
    worker.postMessage(start);
  };
  begin();
  return () => {
    clearTimeout(timer);
    worker?.terminate();
  };
}
