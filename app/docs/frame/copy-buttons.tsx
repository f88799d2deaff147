'use client';

import { useEffect, useState } from 'react';

const shownMs = 4000;

/** Handles the copy buttons of a page. Where the browser refuses the clipboard, it selects the program. */
export function CopyButtons({ copied, select }: { copied: string; select: string }) {
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const pressed = async (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
      const program = button?.closest('.docs-code')?.querySelector('pre');
      if (!button || !program) return;
      // Cleared first, so that a screen reader announces the same text again.
      setAnnouncement('');
      const done = await navigator.clipboard?.writeText(program.textContent ?? '').then(
        () => true,
        () => false,
      );
      if (!done) window.getSelection()?.selectAllChildren(program);
      if (done) showCopied(button, copied);
      setAnnouncement(done ? copied : select);
    };
    document.addEventListener('click', pressed);
    return () => document.removeEventListener('click', pressed);
  }, [copied, select]);
  return (
    <p className="docs-said" role="status" data-refused={announcement === select || undefined}>
      {announcement}
    </p>
  );
}

function showCopied(button: HTMLElement, copied: string): void {
  button.dataset.label ??= button.textContent ?? '';
  const before = button.dataset.label;
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = before;
  }, shownMs);
}
