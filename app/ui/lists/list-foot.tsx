import { ActionIcon, Group } from '@mantine/core';
import { Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

/** How many rows a list has: `counted` of them, and perhaps more. */
type ListTotal = { counted: number; more?: boolean };

type Props = {
  /** The place of the first row of the page; left out where it is unknown. */
  from?: number;
  shown: number;
  total?: ListTotal;
  first?: string | false;
  next?: string | false;
  firstText?: string;
  nextText?: string;
  children?: ReactNode;
};

/**
 * The foot of a list: which rows this page shows ("51–100 dari 213"), and links to the first and the
 * next page. The children follow in the same line.
 */
export function ListFoot({ from, shown, total, first, next, firstText, nextText, children }: Props) {
  const t = useTranslations('filter');
  const count = total && (total.more ? t('moreThan', { count: total.counted }) : t('number', { count: total.counted }));
  return (
    <Group className="list-foot" gap="0 24px" mih={44} mt={8} c="dimmed" fz="var(--type-14)">
      {from !== undefined && shown > 0 && count !== undefined && (
        <span>{t('position', { from, to: from + shown - 1, count })}</span>
      )}
      {(first || next) && (
        <Group component="nav" gap="0 24px" aria-label={t('pages')}>
          {first && <PageLink href={first}>{firstText ?? t('newest')}</PageLink>}
          {next && <PageLink href={next}>{nextText ?? t('older')}</PageLink>}
        </Group>
      )}
      {children}
    </Group>
  );
}

/** Downloads all rows of a list that match its filters; stands in the head of its page. */
export function CsvLink({ href }: { href: string }) {
  const t = useTranslations('filter');
  return (
    <ActionIcon component="a" variant="default" href={href} download aria-label={t('csv')} title={t('csv')}>
      <Download />
    </ActionIcon>
  );
}
