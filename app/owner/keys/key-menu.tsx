'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { Activity, EllipsisVertical, Pencil, Repeat, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { KeyAction } from '#app/owner/keys/key-dialogs.tsx';

/** The menu with the actions on a key. */
export function KeyMenu({ name, onChoose }: { name: string; onChoose: (action: KeyAction) => void }) {
  const t = useTranslations('keys');
  const items = [
    { action: 'monitor', text: t('watch'), icon: Activity },
    { action: 'edit', text: t('edit'), icon: Pencil },
    { action: 'replace', text: t('replace'), icon: Repeat },
  ] as const;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsNamed', { name })}>
          <EllipsisVertical aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ action, text, icon: Icon }) => (
          <Menu.Item
            key={action}
            mih={44}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => onChoose(action)}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Item
          mih={44}
          color="red"
          leftSection={<Trash2 aria-hidden size={18} />}
          onClick={() => onChoose('revoke')}
        >
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
