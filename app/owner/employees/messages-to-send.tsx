'use client';

import { Button } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

/** A text for one person. `shown` stands below the name, `copied` in the text for all. */
export type PersonalMessage = { employeeId: number; name: string; shown: string; copied: string; message: string };

/** Messages that are ready to send: one WhatsApp button for each person, and all of them to copy. */
export function MessagesToSend({
  messages,
  shareLabel,
}: {
  messages: PersonalMessage[];
  shareLabel: (name: string) => string;
}) {
  const t = useTranslations('employees');
  return (
    <>
      <ul className="plain-list invitation-links">
        {messages.map(({ employeeId, name, shown, message }) => (
          <li key={employeeId} data-invited={employeeId}>
            <span>
              <bdi>{name}</bdi>
              <span className="list-sub">{shown}</span>
            </span>
            <Button
              component="a"
              variant="default"
              href={`https://wa.me/?text=${encodeURIComponent(message)}`}
              target="_blank"
              rel="noreferrer noopener"
              leftSection={<Share2 aria-hidden size={18} />}
              aria-label={shareLabel(name)}
            >
              WhatsApp
            </Button>
          </li>
        ))}
      </ul>
      <CopyField
        label={t('bulkAllLinks')}
        value={messages.map(({ copied }) => copied).join('\n')}
        copyLabel={t('bulkCopyAll')}
      />
    </>
  );
}
