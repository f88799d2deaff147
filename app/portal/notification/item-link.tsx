'use client';

import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';

const longestWaitMs = 1000;

/**
 * The link of a notification. Following it is reading it: leaving the page would cut the mark off
 * on its way, so the page goes when the mark has arrived, or after a second. In another tab it just
 * opens.
 */
export function ItemLink({
  href,
  read,
  label,
  children,
}: {
  href: string;
  read: () => Promise<unknown>;
  label?: string;
  children: string;
}) {
  const follow = async (event: MouseEvent) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!elsewhere) event.preventDefault();
    await Promise.race([read(), new Promise((resolve) => setTimeout(resolve, longestWaitMs))]).catch(() => {});
    if (!elsewhere) location.assign(href);
  };
  return (
    <Anchor className="pop-up-link" href={href} size="sm" aria-label={label} onClick={(event) => void follow(event)}>
      {children}
    </Anchor>
  );
}
