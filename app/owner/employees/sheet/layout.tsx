import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function SheetLayout({ children }: { children: ReactNode }) {
  return <Texts of={['sheet']}>{children}</Texts>;
}
