import { notFound } from 'next/navigation';
import { readEmployee } from '#app/owner/employees/[id]/read-employee.ts';

// A layout runs before streaming starts, when the status can still be 404.
export default async function EmployeeLayout({ params, children }: LayoutProps<'/owner/employees/[id]'>) {
  const { employee } = await readEmployee((await params).id);
  if (!employee) notFound();
  return children;
}
