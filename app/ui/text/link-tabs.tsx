'use client';

import { Box } from '@mantine/core';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** Tabs that are links, each with a different address. */
export function LinkTabs({ label, tabs }: { label: string; tabs: { href: string; text: string; current: boolean }[] }) {
  return (
    <Box component="nav" aria-label={label} className="link-tabs">
      {tabs.map(({ href, text, current }) => (
        <PageLink key={href} href={href} aria-current={current ? 'page' : undefined}>
          {text}
        </PageLink>
      ))}
    </Box>
  );
}
