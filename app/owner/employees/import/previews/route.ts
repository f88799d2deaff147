import { z } from 'zod';
import { privateJson } from '#app/responses/responses.ts';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { refuseBeyond, unlessRightsEnded } from '#app/ui/forms/guarded-action.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { createImport, importPath, maxImportBodyBytes, maxImportRows } from '#server/employees/imports.ts';

const Text = z.string();

// The preview checks names and roles. This schema checks only that line numbers increase.
const List = z
  .array(z.union([z.tuple([Id, Text, Text]), z.tuple([Id, Text, Text, Text])]))
  .refine((rows) => rows.every(([line], at) => at === 0 || line > (rows[at - 1]?.[0] ?? 0)));

/**
 * Stores a list of employees to import, as JSON `[[line, name, role], …]`, perhaps with a
 * staff number behind each role. The response is a
 * `Result` with the id of its preview. No action: the session is checked before the body is read.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await isOwnRequest())) return privateJson(refused({ form: 'session-ended' }), 403);
  const session = await authenticateSession(request.headers.get('cookie'));
  if (session && !session.manager) recordDenial(session.account, importPath, 'no-rights');
  if (!session?.manager) return privateJson(refused({ form: 'session-ended' }), 401);
  const beyond = await refuseBeyond(session, 'upload');
  if (beyond) return privateJson(beyond, 429);
  // `request.text()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxImportBodyBytes || request.headers.has('transfer-encoding'))
    return privateJson(refused({ form: 'too-many' }), 413);
  const rows = readList(await request.text());
  if (!rows) return privateJson(refused({ form: 'invalid' }), 400);
  const { manager } = session;
  const result = await unlessRightsEnded(session, importPath, async () => {
    const id = await createImport(
      manager,
      rows.map(([line, name, role, staffNumber]) => ({ line, name, role, staffNumber })),
    );
    return id === 'too-many' || id === 'empty' ? refused({ form: id }) : done({ id });
  });
  return privateJson(result, 'value' in result ? 200 : 400);
}

function readList(body: string): z.output<typeof List> | null {
  try {
    const given: unknown = JSON.parse(body);
    // Checking costs more than reading, and one row too many is enough to refuse the list.
    return List.safeParse(Array.isArray(given) ? given.slice(0, maxImportRows + 1) : given).data ?? null;
  } catch {
    return null;
  }
}
