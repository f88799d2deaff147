'use client';

import { useEffect, useState } from 'react';
import type { Progress } from '#server/companies/overview.ts';

const everyMs = 2000;

/** The first steps, followed live while the page is looked at, until all are done. */
export function useProgress(initial: Progress): Progress {
  const [progress, setProgress] = useState(initial);
  const complete = Object.values(progress).every(Boolean);
  useEffect(() => {
    if (complete) return;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const response = await fetch('/owner/progress', { cache: 'no-store' }).catch(() => null);
      if (response?.ok) setProgress((await response.json()) as Progress);
    }, everyMs);
    return () => clearInterval(timer);
  }, [complete]);
  return progress;
}
