import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function AuditLayout({ children }: { children: ReactNode }) {
  return <Texts of={['refusals']}>{children}</Texts>;
}
