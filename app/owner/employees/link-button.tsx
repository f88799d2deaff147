'use client';

import { Button, type ButtonProps } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link that leads to a piece of work, for server components too. */
export function LinkButton({
  href,
  icon,
  children,
  ...look
}: ButtonProps & { href: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <Button component={Link} href={href} variant="default" leftSection={icon} {...look}>
      {children}
    </Button>
  );
}
