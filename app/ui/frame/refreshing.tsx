'use client';

import { useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';

const refreshIntervalMs = 1000;

/** Refreshes the page every second while it is visible, to say progress. Not offline: Next would leave the page. */
export function Refreshing() {
  const router = useRouter();
  const refresh = () => {
    if (!document.hidden && navigator.onLine) router.refresh();
  };
  useInterval(refresh, refreshIntervalMs, { autoInvoke: true });
  return null;
}
