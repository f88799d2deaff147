import { Box } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

type Props = { mark?: ReactNode; href: string; title: ReactNode; text?: ReactNode; [data: `data-${string}`]: unknown };

/** Something that asks for attention: a row of 48 px, or of more lines with a `text`, that opens its page. */
export function WarningRow({ mark, href, title, text, children, ...data }: PropsWithChildren<Props>) {
  return (
    <li {...data}>
      {mark && <span className="row-mark">{mark}</span>}
      <Box flex={1} miw={0}>
        <PageLink href={href} className="row-link" dir="auto" data-two-lines={text === undefined || undefined}>
          {title}
        </PageLink>
        {text && <div className="fine-print">{text}</div>}
      </Box>
      {children}
    </li>
  );
}
