import { z } from 'zod';
import { receiveUpload } from '#app/responses/upload.ts';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { parseJson } from '#platform/config/checks.ts';
import { createImport, importPath, maxImportBodyBytes, maxImportRows } from '#server/employees/imports.ts';
import type { Session } from '#server/principals.ts';

const Text = z.string();

// The preview checks names and roles. This schema checks only that line numbers increase.
const List = z
  .array(z.union([z.tuple([Id, Text, Text]), z.tuple([Id, Text, Text, Text])]))
  .refine((rows) => rows.every(([line], index) => index === 0 || line > (rows[index - 1]?.[0] ?? 0)));

/** Stores a list to import, as JSON `[[line, name, role, staffNumber?], …]`. The `Result` has its preview's id. */
export function POST(request: Request): Promise<Response> {
  const guard = ({ manager }: Session) => manager;
  const upload = { path: importPath, guard, maxBytes: maxImportBodyBytes, tooLarge: 'too-many' };
  return receiveUpload(request, upload, async (manager, body) => {
    const json = parseJson(body.toString());
    // Checking costs more than reading, and one row too many is enough to refuse the list.
    const { data } = List.safeParse(Array.isArray(json) ? json.slice(0, maxImportRows + 1) : json);
    if (!data) return refused({ form: 'invalid' });
    const rows = data.map(([line, name, role, staffNumber]) => ({ line, name, role, staffNumber }));
    const id = await createImport(manager, rows);
    return id === 'too-many' || id === 'empty' ? refused({ form: id }) : done({ id });
  });
}
