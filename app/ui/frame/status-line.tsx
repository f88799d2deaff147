import { Anchor, CloseButton, Group, Text } from '@mantine/core';
import { LogIn, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

type StatusLineProps = { icon: ReactNode; text: string; link?: ReactNode; children?: ReactNode };

export function StatusLine({ icon, text, link, children }: StatusLineProps) {
  return (
    <Group className="status-line" justify="space-between" gap="sm" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        {icon}
        <Group style={{ gap: '0 12px' }}>
          <Text size="sm" lh={1.3}>
            {text}
          </Text>
          {link}
        </Group>
      </Group>
      {children}
    </Group>
  );
}

/** Says that the session has ended. Signing in leads back to this page. */
export function EndedLine() {
  const t = useTranslations('bell');
  return (
    <StatusLine icon={<LogIn size={20} />} text={t('ended')}>
      <Anchor
        className="status-action"
        href={`/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`}
      >
        {t('signIn')}
      </Anchor>
    </StatusLine>
  );
}

export function OfflineLine({ text }: { text: string }) {
  return <StatusLine icon={<WifiOff size={20} />} text={text} />;
}

type DoneProps = { icon: ReactNode; text: string; onClose: () => void; children?: ReactNode };

/** Says at the foot of the page what was done, perhaps with a next step, until a person closes it. */
export function DoneLine({ icon, text, onClose, children }: DoneProps) {
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
