'use client';

import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';

const maxWaitMs = 1000;

/**
 * The link of a notification, which also marks it read. The page is left when the mark is stored or
 * after 1 s: leaving cancels requests. With a modifier key the link opens in another tab as usual.
 */
export function ItemLink({
  href,
  read,
  label,
  button = false,
  children,
}: {
  href: string;
  read: () => Promise<unknown>;
  label?: string;
  /** Whether it looks like a button. */
  button?: boolean;
  children: string;
}) {
  const follow = async (event: MouseEvent) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!elsewhere) event.preventDefault();
    await Promise.race([read(), new Promise((resolve) => setTimeout(resolve, maxWaitMs))]).catch(() => {});
    if (!elsewhere) location.assign(href);
  };
  if (button)
    return (
      <a className="plain-button" href={href} aria-label={label} onClick={(event) => void follow(event)}>
        {children}
      </a>
    );
  return (
    <Anchor className="pop-up-link" href={href} size="sm" aria-label={label} onClick={(event) => void follow(event)}>
      {children}
    </Anchor>
  );
}
