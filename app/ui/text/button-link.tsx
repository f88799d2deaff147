'use client';

import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** A link to another page of ours that looks like a button, for server components too. */
export function ButtonLink({
  href,
  icon,
  children,
  ...look
}: Omit<ButtonProps, 'leftSection'> & { href: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <Button component={PageLink} href={href} leftSection={icon} {...look}>
      {children}
    </Button>
  );
}
