'use client';

import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** A link to another page that looks like a button. Server components can use it. */
export function ButtonLink({
  href,
  icon,
  children,
  ...props
}: Omit<ButtonProps, 'leftSection'> & { href: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <Button component={PageLink} href={href} leftSection={icon} {...props}>
      {children}
    </Button>
  );
}
