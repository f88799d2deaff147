import { Button, CloseButton, Group, Text } from '@mantine/core';
import { LogIn, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, use } from 'react';
import { AskToSignIn } from '#app/ui/forms/use-action.ts';

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

/** Says that the session has ended, or what `text` says of it, and offers to sign in over the page. */
export function EndedLine({ text }: { text?: string }) {
  const t = useTranslations('bell');
  const askToSignIn = use(AskToSignIn);
  return (
    <StatusLine icon={<LogIn size={20} />} text={text ?? t('ended')}>
      <Button onClick={() => askToSignIn?.(() => {})}>{t('signIn')}</Button>
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
