'use client';

import { Button, Menu } from '@mantine/core';
import { ChevronUp, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';

/**
 * Something to do with the chosen rows: a page to open, or a function to call. `isForPhones`: a
 * desktop has another control for it.
 */
export type BulkAction = { text: string; icon: LucideIcon; isDestructive?: boolean; isForPhones?: boolean } & (
  | { href: string; onChoose?: never }
  | { onChoose: () => void; href?: never }
);

/** The actions of a `BulkBar`: as buttons, on a phone as one button that opens a menu. */
export function BulkButtons({ actions }: { actions: BulkAction[] }) {
  const t = useTranslations('filter');
  if (actions.length === 0) return null;
  return (
    <>
      {actions.map(({ text, icon: Icon, isDestructive, isForPhones, href, onChoose }) => {
        if (isForPhones) return null;
        const icon = <Icon aria-hidden size={18} />;
        return (
          <span key={text} className="desktop-only">
            {href === undefined ? (
              <Button variant="light" color={isDestructive ? 'red' : undefined} leftSection={icon} onClick={onChoose}>
                {text}
              </Button>
            ) : (
              <ButtonLink variant="light" icon={icon} href={href}>
                {text}
              </ButtonLink>
            )}
          </span>
        );
      })}
      <span className="phone-only">
        <Menu position="top-end" width={260}>
          <Menu.Target>
            <Button rightSection={<ChevronUp aria-hidden size={18} />}>{t('chosenActions')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ text, icon: Icon, isDestructive, href, onChoose }) => {
              const color = isDestructive ? 'red' : undefined;
              const look = { mih: 44, color, leftSection: <Icon aria-hidden size={18} /> };
              return href === undefined ? (
                <Menu.Item key={text} {...look} onClick={onChoose}>
                  {text}
                </Menu.Item>
              ) : (
                <Menu.Item key={text} {...look} component={PageLink} href={href}>
                  {text}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      </span>
    </>
  );
}
