'use client';

import { Anchor, type AnchorProps, Badge, Box, Button, type ButtonProps } from '@mantine/core';
import Link from 'next/link';
import { type ComponentProps, type ReactNode, useState } from 'react';

/** A link that prefetches at pointer or focus only. At first sight, fifty rows would make fifty requests. */
export function PageLink({ onPointerEnter, onFocus, ...link }: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [near, setNear] = useState(false);
  return (
    <Link
      {...link}
      prefetch={near ? null : false}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
}

/** A link to another page within text. Server components can use it. */
export function TextLink(props: AnchorProps & { href: string; target?: '_blank'; rel?: string; children: ReactNode }) {
  return <Anchor component={PageLink} py={10} mih={44} display="inline-block" w="fit-content" {...props} />;
}

/** A link to another page that looks like a button. Server components can use it. */
export function ButtonLink({
  icon,
  text,
  ...props
}: Omit<ButtonProps, 'leftSection' | 'children'> & { href: string; icon?: ReactNode; text: ReactNode }) {
  return (
    <Button component={PageLink} leftSection={icon} {...props}>
      {text}
    </Button>
  );
}

type LinkTab = { href: string; text: string; count?: number; current: boolean; attributes?: object };

/** Pages or views side by side, as tabs that are links. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  return (
    <Box component="nav" aria-label={label} className="link-tabs">
      {tabs.map(({ href, text, count, current, attributes }) => (
        <PageLink
          key={href}
          ref={current ? showTab : undefined}
          href={href}
          aria-current={current ? 'page' : undefined}
          {...attributes}
        >
          <span>{text}</span>
          {count ? (
            <Badge variant="filled" size="sm" circle ms={6}>
              {count}
            </Badge>
          ) : null}
        </PageLink>
      ))}
    </Box>
  );
}

// On a phone, the tabs scroll sideways.
function showTab(tab: HTMLAnchorElement | null): void {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.clientWidth / 2;
}
