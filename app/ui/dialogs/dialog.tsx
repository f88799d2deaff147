import type { ModalProps } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const DialogWindow = whenNeeded(() => import('#app/ui/dialogs/dialog-window.tsx'), 'DialogWindow');

// A menu entry disappears when its dialog opens. The menu's button stays, so it gets the focus back.
function findOpener(): Element | null {
  const active = document.activeElement;
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button ? document.getElementById(button) : null) ?? active;
}

/** A dialog, open while mounted. The focus returns to what opened it, else to the page's content. */
export function Dialog(window: Omit<ModalProps, 'opened'>) {
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
        (isThere ? opener : document.getElementById('content'))?.focus();
      });
    },
    [opener],
  );
  return <DialogWindow {...window} />;
}

/** Keeps which dialog is open. Returns it, a function that opens one, and one that closes it and refreshes the page. */
export function useOpenDialog<Name>() {
  const router = useRouter();
  const [name, open] = useState<Name>();
  const close = () => {
    open(undefined);
    router.refresh();
  };
  return [name, open, close] as const;
}
