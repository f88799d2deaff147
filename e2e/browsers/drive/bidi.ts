/** A connection that speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export type Bidi = {
  /** Sends a command and returns its result. Throws the error that the browser answers. */
  send: <Result = unknown>(method: string, params?: object) => Promise<Result>;
  close: () => void;
};

type Answer = {
  id: number | null;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
};

/** Connects to a browser and begins a session. `url` is the address that the browser prints. */
export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(`${url}/session`);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`nothing speaks BiDi at ${url}`));
  });
  const waiting = new Map<number, { method: string; settle: PromiseWithResolvers<unknown> }>();
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const answer = JSON.parse(data) as Answer;
    const asked = answer.id === null ? undefined : waiting.get(answer.id);
    if (answer.type === 'event' || !asked) return;
    waiting.delete(answer.id ?? 0);
    if (answer.type === 'success') asked.settle.resolve(answer.result);
    else asked.settle.reject(new Error(`${asked.method}: ${answer.error}: ${answer.message}`));
  };
  socket.onclose = () => {
    for (const { method, settle } of waiting.values()) settle.reject(new Error(`${method}: the browser is gone`));
  };
  let last = 0;
  const send = <Result>(method: string, params: object = {}) => {
    last += 1;
    const settle = Promise.withResolvers<unknown>();
    waiting.set(last, { method, settle });
    socket.send(JSON.stringify({ id: last, method, params }));
    return settle.promise as Promise<Result>;
  };
  await send('session.new', { capabilities: {} });
  return { send, close: () => socket.close() };
}
