import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';

/** Gives the first steps the few texts about employees that they need. */
export async function FirstTexts({ children }: { children: ReactNode }) {
  const { employees, firstSteps } = await getMessages();
  const needed = Object.entries(employees).filter(([name]) => /^(?:addMe|invite|makeLink)/.test(name));
  return <MoreTexts more={{ firstSteps, employees: Object.fromEntries(needed) }}>{children}</MoreTexts>;
}
