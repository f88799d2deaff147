import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { readEmployee } from '#app/owner/employees/[id]/read-employee.ts';

type EmployeeLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

// A layout runs before streaming starts, when the status can still be 404.
export default async function EmployeeLayout({ params, children }: EmployeeLayoutProps) {
  const { employee } = await readEmployee((await params).id);
  if (!employee) notFound();
  return children;
}
