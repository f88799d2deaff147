'use client';

import { Anchor, type AnchorProps } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link to another page of ours, for server components too. */
export function TextLink({ href, children, ...look }: AnchorProps & { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} py={10} display="inline-block" {...look}>
      {children}
    </Anchor>
  );
}
