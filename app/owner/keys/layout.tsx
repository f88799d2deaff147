import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function KeysLayout({ children }: { children: ReactNode }) {
  return <Texts of={['keys']}>{children}</Texts>;
}
