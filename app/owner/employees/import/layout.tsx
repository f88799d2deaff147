import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function ImportsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['imports']}>{children}</Texts>;
}
