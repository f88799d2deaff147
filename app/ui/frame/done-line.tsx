'use client';

import { CloseButton, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { StatusLine } from '#app/ui/frame/status-line.tsx';

type Props = { icon: ReactNode; text: string; onClose: () => void; children?: ReactNode };

/** Says at the foot of the page what was done, perhaps with a next step, until a person closes it. */
export function DoneLine({ icon, text, onClose, children }: Props) {
  const t = useTranslations('form');
  return (
    <div className="status-bar">
      <StatusLine icon={icon} text={text}>
        <Group gap={4} wrap="nowrap">
          {children}
          <CloseButton size={44} aria-label={t('close')} onClick={onClose} />
        </Group>
      </StatusLine>
    </div>
  );
}
