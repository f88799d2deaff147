'use client';

import { Button } from '@mantine/core';
import { Activity, Pencil, Repeat, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type KeyAction, KeyDialog } from '#app/owner/keys/key-dialogs.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** The buttons of a key's page, each with its dialog. */
export function KeyActions({ apiKey, names, baseUrl }: { apiKey: KeyOverview; names: string[]; baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [action, setAction] = useState<KeyAction>();
  const onClose = () => {
    setAction(undefined);
    router.refresh();
  };
  const buttons = [
    { name: 'edit', text: t('edit'), icon: Pencil },
    { name: 'monitor', text: t('watch'), icon: Activity },
    { name: 'replace', text: t('replace'), icon: Repeat },
  ] as const;
  return (
    <div className="key-actions">
      {buttons.map(({ name, text, icon: Icon }) => (
        <Button
          key={name}
          variant="default"
          leftSection={<Icon aria-hidden size={18} />}
          onClick={() => setAction(name)}
        >
          {text}
        </Button>
      ))}
      <Button
        variant="light"
        color="red"
        leftSection={<Trash2 aria-hidden size={18} />}
        onClick={() => setAction('revoke')}
      >
        {t('revoke')}
      </Button>
      {action && <KeyDialog action={action} apiKey={apiKey} names={names} baseUrl={baseUrl} onClose={onClose} />}
    </div>
  );
}
