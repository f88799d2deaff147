import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function EmployeesLayout({ children }: { children: ReactNode }) {
  return <Texts of={['employees']}>{children}</Texts>;
}
