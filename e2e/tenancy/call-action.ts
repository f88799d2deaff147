import { createRequire } from 'node:module';
import { baseUrl } from '#e2e/fixtures/interface.ts';
import { type BuiltAction, builtActions } from '#e2e/tenancy/build.ts';
import type { Caller } from '#e2e/tenancy/callers.ts';

// Next's own encoder of arguments: what a page would send. It has no types of its own.
const { encodeReply } = createRequire(import.meta.url)('next/dist/compiled/react-server-dom-webpack/client.node') as {
  encodeReply: (args: unknown) => Promise<string | FormData>;
};

/** What an action answered: `result` is its own answer as it was written, null when there is none. */
export type ActionAnswer = { status: number; result: string | null; text: string };

/** The action of the build with this name. */
export function actionNamed(name: string): BuiltAction {
  const found = builtActions.find((action) => action.name === name);
  if (!found) throw new Error(`${name} is not in the build`);
  return found;
}

/** Calls an action with these arguments, as a page would, on a page that has it (or another one). */
export async function callAction(
  caller: Caller,
  action: BuiltAction,
  args: unknown[],
  page?: string,
): Promise<ActionAnswer> {
  return postAction(caller, action, await encodeReply(args), page);
}

/** Calls an action with a body of one's own making. */
export async function postAction(
  { headers }: Caller,
  { id, pages }: BuiltAction,
  body: string | FormData,
  page = pages.find((one) => !one.includes('[')) ?? pages[0] ?? '/',
): Promise<ActionAnswer> {
  const response = await fetch(baseUrl + page.replaceAll(/\[\w+\]/g, '1'), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Next-Action': id, Accept: 'text/x-component', Origin: baseUrl, ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, result: /^1:(.*)$/m.exec(text)?.[1] ?? null, text };
}
