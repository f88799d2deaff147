import { notFound } from 'next/navigation';
import { validate } from 'uuid';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { hasImport } from '#server/employees/imports.ts';

// A layout runs before streaming starts, when the status can still be 404.
export default async function ImportLayout({ params, children }: LayoutProps<'/owner/employees/import/[id]'>) {
  const { id } = await params;
  const manager = await requireManager(`/owner/employees/import/${id}`);
  if (!validate(id) || !(await hasImport(manager, id))) notFound();
  return children;
}
