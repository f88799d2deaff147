'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

/** A text for one person. `shown` stands below the name, `copied` in the text for all. */
export type PersonalMessage = { employeeId: number; name: string; shown: string; copied: string; message: string };

/**
 * A dialog that makes messages for people, and shows them once: with one WhatsApp button for each
 * person, and all of them to copy. `messages` are those that were made.
 */
export function MessagesDialog({
  title,
  text,
  notice,
  problem,
  make,
  messages,
  shareLabel,
  onClose,
}: {
  title: string;
  text: string;
  notice?: string | false;
  problem?: string;
  make: { text: string; pending: boolean; run: () => void };
  messages?: PersonalMessage[];
  shareLabel: (name: string) => string;
  onClose: () => void;
}) {
  const form = useTranslations('form');
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={messages === undefined}>
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
        <Text>{text}</Text>
        {!messages && notice && <Alert color="yellow">{notice}</Alert>}
        {messages && messages.length > 0 && <MessagesToSend messages={messages} shareLabel={shareLabel} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {form(messages ? 'close' : 'cancel')}
          </Button>
          {!messages && (
            <Button loading={make.pending} onClick={make.run}>
              {make.text}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function MessagesToSend({
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
