import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

type Props = { href: string; icon: ReactNode; see: string; tone?: 'calm' | 'attention'; children: ReactNode } & {
  [data: `data-${string}`]: string | number | boolean;
};

/** One line above a page that asks for something, and leads to its answer. Without a tone it is an alarm. */
export function NoticeLine({ href, icon, see, tone, children, ...data }: Props) {
  return (
    <PageLink href={href} className="notice-line" data-tone={tone} {...data}>
      {icon}
      <span>{children}</span>
      <span className="row-action">{see}</span>
    </PageLink>
  );
}
