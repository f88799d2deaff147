'use client';

import { useEffect, useState } from 'react';
import type { Progress } from '#server/companies/overview.ts';

const pollIntervalMs = 2000;

/**
 * Polls the progress of the first steps every 2 s while the page is visible. The first person stays
 * known after the last step.
 */
export function useProgress(initial: Progress): Progress {
  const [progress, setProgress] = useState(initial);
  const complete = progress.hasSeen;
  useEffect(() => {
    if (complete) return;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const response = await fetch('/owner/progress', { cache: 'no-store' }).catch(() => null);
      if (!response?.ok) return;
      const answer = (await response.json()) as Progress;
      setProgress((before) => ({ ...answer, first: answer.first ?? before.first }));
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [complete]);
  return progress;
}
