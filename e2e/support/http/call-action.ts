import { baseUrl } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';
import type { BuiltAction } from '#e2e/support/service/build.ts';

// Arguments as React writes them: a dollar is doubled, and what JSON lacks is a text with a dollar.
const encode = (args: unknown[]) =>
  JSON.stringify(args, (_, value: unknown) => {
    if (value === undefined) return '$undefined';
    return typeof value === 'string' && value.startsWith('$') ? `$${value}` : value;
  });

/** The sender: its headers, the service, and the origin of the page (null for none). */
type ActionCaller = { headers: Record<string, string>; url?: string; origin?: string | null };

type Called = Pick<BuiltAction, 'id' | 'pages'>;

/** Calls an action with these arguments as a page does, by default on a page that has the action. `result` is its value. */
export async function callAction(caller: ActionCaller, action: Called, args: unknown[], page?: string) {
  return postAction(caller, action, encode(args), page);
}

export async function postAction(
  { url = baseUrl, origin = url, headers }: ActionCaller,
  { id, pages }: Called,
  body: string | FormData,
  page = pages.find((one) => !one.includes('[')) ?? pages[0] ?? '/',
) {
  const written = new Response(body);
  const answer = await openLine(url, false).ask(page.replaceAll(/\[\w+\]/g, '1'), {
    method: 'POST',
    headers: {
      'Next-Action': id,
      Accept: 'text/x-component',
      ...(origin !== null && { Origin: origin }),
      'Content-Type': written.headers.get('content-type') ?? '',
      ...headers,
    },
    body: new Uint8Array(await written.arrayBuffer()),
  });
  const { status, text } = answer;
  if (status === 0) throw new Error(`no answer to an action on ${page}: ${text}`);
  return { status, result: /^1:(.*)$/m.exec(text)?.[1] ?? null, text, cookies: answer.headers['set-cookie'] ?? [] };
}
