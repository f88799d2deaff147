import { chooseLanguage } from '#platform/net/choose-language.ts';
import { dataHeaders } from '#platform/net/http-headers.ts';
import type { NotifResponse } from '#server/api/response.ts';
import { browserTexts } from '#server/service-texts.ts';

/**
 * Answers a browser whose headers are too large, as a rule because of its cookies: a page in the person's language.
 * `received`: the bytes that Node gave up at. Null for a program, or where they do not begin with the request.
 */
export function explainLargeHeaders(received: Buffer): NotifResponse | null {
  const head = received.toString('latin1');
  const headerOf = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1] ?? null;
  if (!/^(?:GET|HEAD|POST) /.test(head) || !headerOf('accept')?.includes('text/html')) return null;
  const chosen = /(?:^|[; -])language=(\w+)/.exec(headerOf('cookie') ?? '')?.[1];
  const language = chooseLanguage([chosen], headerOf('accept-language'), 'person');
  const { heading, text } = browserTexts[language].largeHeaders;
  const body = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${heading}</title>
<h1>${heading}</h1>
<p>${text}</p>
</html>
`;
  const headers = {
    ...dataHeaders(),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status: 431, headers, body };
}
