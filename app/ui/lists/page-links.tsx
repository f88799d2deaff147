import { Group, type MantineSpacing } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { TextLink } from '#app/ui/text/text-link.tsx';

/** Links from a page of a list to its first page and to the next one, where given. */
export function PageLinks({
  first,
  next,
  firstText,
  nextText,
  mt = 'md',
  children,
}: {
  first: string | false;
  next: string | false;
  /** The text of the first link; "Newest" by default. */
  firstText?: string;
  /** The text of the second link; "Older" by default. */
  nextText?: string;
  mt?: MantineSpacing;
  /** What follows the links in the same line. */
  children?: ReactNode;
}) {
  const t = useTranslations('filter');
  return (
    <Group mt={mt} gap="xl">
      {first && <TextLink href={first}>{firstText ?? t('newest')}</TextLink>}
      {next && <TextLink href={next}>{nextText ?? t('older')}</TextLink>}
      {children}
    </Group>
  );
}
