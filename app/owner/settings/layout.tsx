import type { ReactNode } from 'react';
import { Texts } from '#app/ui/text/texts.tsx';

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['exports', 'owners', 'retention', 'sessions']}>{children}</Texts>;
}
