'use client';

import { useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';

const refreshIntervalMs = 1000;

/** Refreshes the page every second while it is shown: other work goes on, whose progress the page says. */
export function Refreshing() {
  const router = useRouter();
  useInterval(() => router.refresh(), refreshIntervalMs, { autoInvoke: true });
  return null;
}
