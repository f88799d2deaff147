import { z } from 'zod';
import { privateJson } from '#app/responses/private-json.ts';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { isOwnRequest } from '#server/accounts/require.ts';
import { createImport, maxImportBodyBytes, maxImportRows } from '#server/employees/imports.ts';
import { isCheapJson } from '#server/json-cost.ts';

const Text = z.string();

// The preview checks names and roles. This schema checks only that line numbers increase.
const List = z
  .array(z.union([z.tuple([Id, Text, Text]), z.tuple([Id, Text, Text, Text])]))
  .refine((rows) => rows.every(([line], at) => at === 0 || line > (rows[at - 1]?.[0] ?? 0)));

// A row has a bracket and four commas. One row too many is answered with the reason.
const maxValues = 5 * (maxImportRows + 1000);

/**
 * Stores a list of employees to import, as JSON `[[line, name, role], …]`, perhaps with a
 * staff number behind each role. The response is a
 * `Result` with the id of its preview. No action: the session is checked before the body is read.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await isOwnRequest())) return privateJson(refused({ form: 'session-ended' }), 403);
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.manager) return privateJson(refused({ form: 'session-ended' }), 401);
  // `request.text()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxImportBodyBytes || request.headers.has('transfer-encoding'))
    return privateJson(refused({ form: 'too-many' }), 413);
  const rows = readList(Buffer.from(await request.arrayBuffer()));
  if (!rows) return privateJson(refused({ form: 'invalid' }), 400);
  const id = await createImport(
    session.manager,
    rows.map(([line, name, role, staffNumber]) => ({ line, name, role, staffNumber })),
  );
  if (id === 'too-many' || id === 'empty') return privateJson(refused({ form: id }), 400);
  return privateJson(done({ id }));
}

function readList(body: Buffer): z.output<typeof List> | null {
  if (!isCheapJson(body, maxValues)) return null;
  try {
    return List.safeParse(JSON.parse(body.toString())).data ?? null;
  } catch {
    return null;
  }
}
