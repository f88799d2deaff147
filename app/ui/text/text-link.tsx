'use client';

import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** A link to another page within text. Server components can use it. */
export function TextLink({
  href,
  children,
  ...props
}: AnchorProps & { href: string; target?: '_blank'; rel?: string; children: ReactNode }) {
  return (
    <Anchor component={PageLink} href={href} py={10} display="inline-block" {...props}>
      {children}
    </Anchor>
  );
}
