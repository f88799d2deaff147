import type { Message, WorkerStart } from '#app/portal/live/feed/channel.ts';

/** Adds one listener to several events of a target. Returns the function that removes it. */
export function listen(target: EventTarget, events: string[], listener: (event: Event) => void): () => void {
  const stopped = new AbortController();
  for (const event of events) target.addEventListener(event, listener, { signal: stopped.signal });
  return () => stopped.abort();
}

// With a lock, a page would not be kept in the back/forward cache, or would keep the lock there (WebKit).
/** Runs `begin`, and what it returns when the person leaves; `again` after the back/forward cache. Returns the end. */
export function whileShown(begin: (again: boolean) => () => void): () => void {
  let end: (() => void) | null = begin(false);
  const hide = () => {
    end?.();
    end = null;
  };
  const show = () => {
    end ??= begin(true);
  };
  const stop = listen(window, ['pagehide', 'pageshow'], ({ type }) => (type === 'pagehide' ? hide() : show()));
  return () => {
    stop();
    hide();
  };
}

// Keeps the browser from freezing this page. Chrome 133 freezes hidden pages, but none that holds a lock.
function preventFreezing(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(`awake:${Math.random()}`, { mode: 'shared' }, () => released).catch(() => {});
  return () => release();
}

/** What `app/browser-files/service-worker.js` asks before a push, and says of a new subscription. */
type WorkerWord = 'portal?' | 'subscription-changed';

/** Runs `act` when the service worker says a word; a question has a port for the answer. Returns what stops it. */
export function whenWorkerSays(word: WorkerWord, act: (answer?: MessagePort) => void): () => void {
  return listen(navigator.serviceWorker ?? new EventTarget(), ['message'], (event) => {
    const { data, ports } = event as MessageEvent<unknown>;
    if (data === word) act(ports[0]);
  });
}

const restartMs = 3000;

/** Starts the worker of a tab that must not freeze, again 3 s after it failed to load (`onError`). Returns the end. */
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
  const allowFreezing = preventFreezing();
  return () => {
    allowFreezing();
    clearTimeout(timer);
    worker?.terminate();
  };
}
