'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { BookmarkPlus, MoreHorizontal, Repeat2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';

/**
 * What makes something new of a send: send it again, make a template. They are a menu beside other
 * buttons, and buttons if there are no others (`alone`).
 */
export function SendAgain({ no, alone }: { no: number; alone: boolean }) {
  const t = useTranslations('sends');
  const entries = [
    { href: `/owner/sends/new?again=${no}`, text: t('sendAgain'), icon: <Repeat2 aria-hidden size={18} /> },
    {
      href: `/owner/sends/templates/new?of=${no}`,
      text: t('asTemplate'),
      icon: <BookmarkPlus aria-hidden size={18} />,
    },
  ];
  if (alone)
    return entries.map(({ href, text, icon }) => (
      <ButtonLink key={href} href={href} variant="default" icon={icon}>
        {text}
      </ButtonLink>
    ));
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('more')}>
          <MoreHorizontal aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ href, text, icon }) => (
          <Menu.Item key={href} component={PageLink} href={href} mih={44} leftSection={icon}>
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
