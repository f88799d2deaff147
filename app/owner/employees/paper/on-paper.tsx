import '#app/owner/employees/paper/paper.css';
import { Portal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** What paper shows in place of the page while it is mounted. No screen shows it. */
export function OnPaper({ children }: { children: ReactNode }) {
  useEffect(() => {
    // Not `:has()` in the styles, which Firefox before 121 does not know.
    document.body.toggleAttribute('data-on-paper', true);
    return () => document.body.removeAttribute('data-on-paper');
  }, []);
  return (
    <Portal reuseTargetNode={false} className="on-paper">
      {children}
    </Portal>
  );
}
