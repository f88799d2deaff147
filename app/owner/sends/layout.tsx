import '#app/owner/sends/sends.css';
import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function SendsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['compose', 'planned', 'proof', 'sends', 'templates']}>{children}</Texts>;
}
