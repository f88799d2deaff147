import type { Result } from '#app/ui/forms/fields.ts';

/** A row of the list: its line, the name and the role; a staff number if the list has this column. */
export type ListRow = [line: number, name: string, role: string, staffNumber?: string];

/**
 * Stores a list of employees to import; the result is the id of its preview. Throws when the
 * service did not judge the list.
 */
export async function createImport(rows: ListRow[]): Promise<Result<{ id: string }>> {
  const response = await fetch('/owner/employees/import/previews', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(rows),
  });
  return (await response.json()) as Result<{ id: string }>;
}
