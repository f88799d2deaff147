'use client';

import { type FormEvent, useState } from 'react';

/** An example request; `query` begins with `?` or is empty. */
export type RequestExample = { summary: string; method: string; path: string; query: string; body: string | null };
type Labels = Record<'key' | 'request' | 'body' | 'ask' | 'send' | 'sendToAll' | 'real' | 'fillIn' | 'failed', string>;
type Props = { examples: RequestExample[]; labels: Labels; language: 'id' | 'en' };

/**
 * A form that sends a request to the public interface and shows its answer. The key stays in this
 * component: fields have no names, so that the browser writes none of them into an address. The
 * text of the button tells what a press does: read, send to one person, or send to everyone.
 */
export function TryRequest({ examples, labels, language }: Props) {
  const [key, setKey] = useState('');
  const [index, setIndex] = useState(0);
  const [body, setBody] = useState<string | null>(examples[0]?.body ?? null);
  const [answer, setAnswer] = useState('');
  const [isSending, setSending] = useState(false);

  function choose(next: number) {
    setIndex(next);
    setBody(examples[next]?.body ?? null);
    setAnswer('');
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const example = examples[index];
    if (!example) return;
    setSending(true);
    setAnswer(await sendRequest(example, key, body, language).catch(() => labels.failed));
    setSending(false);
  }

  return (
    <form className="docs-try" onSubmit={submit}>
      <label>
        {labels.key}
        <input
          className="docs-key"
          value={key}
          onChange={(event) => setKey(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
          required
        />
      </label>
      <label>
        {labels.request}
        <select value={index} onChange={(event) => choose(Number(event.target.value))}>
          {examples.map(({ summary, method, query }, at) => (
            <option key={summary} value={at}>
              {`${method} ${query} ${summary}`.replace(/\s+/g, ' ')}
            </option>
          ))}
        </select>
      </label>
      {body !== null && (
        <label>
          {labels.body}
          <textarea rows={8} value={body} onChange={(event) => setBody(event.target.value)} spellCheck={false} />
        </label>
      )}
      {body !== null && <p>{findTarget(body) === '' ? labels.fillIn : labels.real}</p>}
      <button type="submit" disabled={isSending}>
        {body === null ? labels.ask : isToEveryone(body) ? labels.sendToAll : labels.send}
      </button>
      <pre role="status">{answer}</pre>
    </form>
  );
}

/** The `user_id` in a body, or undefined where it has none or is no JSON object. */
function findTarget(body: string): unknown {
  try {
    return (JSON.parse(body) as { user_id?: unknown } | null)?.user_id;
  } catch {
    return undefined;
  }
}

const isToEveryone = (body: string) => [undefined, 0, '0'].includes(findTarget(body) as undefined);

// Sends the request without cookies; returns status, rate limit headers and body as text. Errors
// come in the language of the page.
async function sendRequest(
  { path, query, method }: RequestExample,
  key: string,
  body: string | null,
  language: string,
): Promise<string> {
  const response = await fetch(path + query, {
    method,
    body,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Accept-Language': language },
    credentials: 'omit',
    cache: 'no-store',
  });
  const shown = ['x-ratelimit-remaining', 'retry-after', 'x-request-id'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const text = JSON.stringify(await response.json(), null, 2);
  return [`${response.status} ${response.statusText}`, ...shown, '', text].join('\n');
}
