import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { validate } from 'uuid';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { hasImport } from '#server/employees/imports.ts';

type ImportLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

// A layout runs before streaming starts, when the status can still be 404.
export default async function ImportLayout({ params, children }: ImportLayoutProps) {
  const { id } = await params;
  const manager = await requireManager(`/owner/employees/import/${id}`);
  if (!validate(id) || !(await hasImport(manager, id))) notFound();
  return children;
}
