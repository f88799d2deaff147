'use client';

import type { ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const DialogWindow = whenNeeded(() =>
  import('#app/ui/dialogs/dialog-window.tsx').then(({ DialogWindow }) => DialogWindow),
);

// An entry of a menu is gone when the dialog closes; the button of the menu is not.
function findOpener(): Element | null {
  const active = document.activeElement;
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button ? document.getElementById(button) : null) ?? active;
}

/**
 * A dialog that is open as long as it is mounted. When it goes, the focus returns to what opened
 * it, or to the page's content when that is gone too.
 */
export function Dialog(window: Omit<ModalProps, 'opened'>) {
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const target =
          opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('content');
        target?.focus();
      });
    },
    [opener],
  );
  return <DialogWindow {...window} />;
}
