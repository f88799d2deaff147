import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { processWide } from '#platform/config/process-wide.ts';
import { readyAnswer } from '#server/front/health.ts';

// The headers of requests whose page could not reach the database. Next hands the same object to its hook for errors.
const unavailable = processWide('unavailable-pages', () => new WeakSet<object>());

/** Takes an error of the page for the request with these headers. */
export const notePageError = (error: unknown, headers: object): void =>
  void (isDatabaseUnavailable(error) && unavailable.add(headers));

// A page may be slow for its own reasons, such as a slow upload. So after this time the database is asked: if it hangs,
// that replaces its pools, and the statements of the page fail.
const askAfterMs = 3500;

/** Lets a page that failed because the database is unavailable answer 503 with `Retry-After`, where Next says 500. */
export function sayUnavailable({ headers }: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => void readyAnswer(true), askAfterMs);
  response.once('close', () => clearTimeout(timer));
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    clearTimeout(timer);
    const isUnavailable = status === 500 && unavailable.has(headers);
    if (isUnavailable) response.setHeader('Retry-After', '5');
    return writeHead(isUnavailable ? 503 : status, ...rest);
  };
}
