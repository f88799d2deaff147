'use client';

import { type FormEvent, useState } from 'react';
import type { RequestExample } from '#app/docs/texts/operations.ts';

type Labels = { key: string; request: string; body: string; send: string; failed: string };

/**
 * A form that sends a request to the public interface and shows its answer. The key stays in this
 * component: fields have no names, so that the browser writes none of them into an address.
 */
export function TryRequest({ examples, labels }: { examples: RequestExample[]; labels: Labels }) {
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
    setAnswer(await sendRequest(example.path + example.query, example.method, key, body).catch(() => labels.failed));
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
      <button type="submit" disabled={isSending}>
        {labels.send}
      </button>
      <pre role="status">{answer}</pre>
    </form>
  );
}

/** Sends the request without cookies; returns status, rate limit headers and body as text. */
async function sendRequest(address: string, method: string, key: string, body: string | null): Promise<string> {
  const response = await fetch(address, {
    method,
    body,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
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
