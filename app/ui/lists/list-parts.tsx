import { ActionIcon, Group, Stack } from '@mantine/core';
import { Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

type Props = { icon: ReactNode; title?: string; text: string; isFiltered?: boolean; children?: ReactNode };

/** Says that there is nothing, or with `isFiltered` that nothing fits the filters of a list. */
export function EmptyState({ icon, title, text, isFiltered, children }: Props) {
  const t = useTranslations();
  const hasTitle = title !== undefined && !isFiltered;
  return (
    <Stack className="section" gap={10} align="center" py={32} ta="center">
      {icon}
      {hasTitle && <strong>{title}</strong>}
      <div className={hasTitle ? 'dimmed' : undefined}>{isFiltered ? t('filter.nothing') : text}</div>
      {children}
    </Stack>
  );
}

type FootProps = {
  /** The position of the page's first row in the list, from 1; left out where it is unknown. */
  from?: number;
  rowCount: number;
  /** How many rows the list has: `counted` of them, and perhaps more. */
  total?: { counted: number; more?: boolean };
  first?: string | false;
  next?: string | false;
  firstText?: string;
  nextText?: string;
  children?: ReactNode;
};

/** The foot of a list: which rows it shows ("51–100 dari 213"), links to other pages, and the children. */
export function ListFoot({ from, rowCount, total, first, next, firstText, nextText, children }: FootProps) {
  const t = useTranslations('filter');
  const count = total && (total.more ? t('moreThan', { count: total.counted }) : t('number', { count: total.counted }));
  return (
    <Group className="list-foot" gap="0 24px" mih={44} mt={8} c="dimmed" fz="var(--type-14)">
      {from !== undefined && rowCount > 0 && count !== undefined && (
        <span>{t('position', { from, to: from + rowCount - 1, count })}</span>
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
