import { Button, type ButtonProps, Group } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

const qrCodePx = 200;
const QrCode = whenNeeded(() => import('#app/ui/text/qr-code.tsx'), 'QrCode', { height: qrCodePx });

const widthOnPhone = { base: '1 1 100%', xs: '0 0 auto' };

/** Opens WhatsApp with a message, to choose who gets it. */
export function ShareButton({ message, ...button }: ButtonProps & { message: string; onClick?: () => void }) {
  return (
    <Button
      component="a"
      variant="default"
      href={`https://wa.me/?text=${encodeURIComponent(message)}`}
      target="_blank"
      rel="noreferrer noopener"
      leftSection={<Share2 />}
      {...button}
    />
  );
}

// The button that made the link is gone.
const takeFocus = (button: HTMLButtonElement | null) =>
  void (document.activeElement === document.body && button?.focus({ preventScroll: true }));

type Props = { label: string; link: string; message: string; qrLabel?: string; onClose: () => void };

/** A link that is shown once, to copy, to send or to scan: `qrLabel` is the text alternative of its QR code. */
export function LinkToHandOver({ label, link, message, qrLabel, onClose }: Props) {
  const t = useTranslations('form');
  return (
    <>
      {qrLabel && (
        <div style={{ width: qrCodePx, alignSelf: 'center' }}>
          <QrCode text={link} label={qrLabel} />
        </div>
      )}
      <CopyField label={label} value={link} copyLabel={t('copyLink')} />
      <Group justify="space-between">
        <ShareButton message={message} flex={widthOnPhone}>
          {t('shareLink')}
        </ShareButton>
        <Button ref={takeFocus} variant="default" flex={widthOnPhone} onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </>
  );
}
