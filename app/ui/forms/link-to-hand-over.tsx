'use client';

import { Button, Group } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

const widthOnPhone = { base: '1 1 100%', xs: '0 0 auto' };

/** A link that is shown once, to copy or to send. `message` is the text for WhatsApp, with the link. */
export function LinkToHandOver({
  label,
  link,
  message,
  onClose,
}: {
  label: string;
  link: string;
  message: string;
  onClose: () => void;
}) {
  const t = useTranslations('form');
  return (
    <>
      <div>
        <CopyField label={label} value={link} copyLabel={t('copyLink')} />
      </div>
      <Group justify="space-between">
        <Button
          component="a"
          variant="default"
          flex={widthOnPhone}
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noreferrer noopener"
          leftSection={<Share2 aria-hidden size={18} />}
        >
          {t('shareLink')}
        </Button>
        <Button variant="default" flex={widthOnPhone} onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </>
  );
}
