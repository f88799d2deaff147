import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormDraft } from '#app/owner/sends/new/form-draft.ts';
import type { When } from '#app/owner/sends/when/when-fields.tsx';
import { forgetStored, readStored, store } from '#app/ui/storage/local-storage.ts';

/** The names of drafts on this device begin with it. A sign-out removes them. */
export const draftPrefix = 'draft ';

type Content = { draft: FormDraft; when: When };

/**
 * Keeps what a person writes on this device under a name, until it is sent or thrown away: without a network, after a
 * reload, in the next tab. `restore` gets what was kept. Without a name nothing is kept. `isKept` tells whether the
 * device has it now, `isShared` whether another tab changes it too. All tabs that are open show the same draft: what one
 * changes, sends (`forget`) or throws away (`discard`) changes in the others.
 */
export function useDeviceDraft(name: string, content: Content, restore: (content: Content) => void) {
  const [isKept, setKept] = useState(false);
  const [isShared, setShared] = useState(false);
  const first = useRef(content);
  const begun = useRef(content);
  const { draft, when } = content;
  const open = useEffectEvent((text: string | null) => {
    try {
      const stored = text && (JSON.parse(text) as Partial<Content>);
      if (stored) restore({ draft: { ...draft, ...stored.draft }, when: { ...when, ...stored.when } });
    } catch {
      // A damaged draft counts as none. The next change overwrites it.
    }
  });
  const beginAnew = () => {
    begun.current = first.current;
    restore(first.current);
    setKept(false);
  };
  useWindowEvent('storage', ({ key, newValue }) => {
    if (key !== name) return;
    setShared(newValue !== null);
    if (newValue === null) beginAnew();
    else open(newValue);
  });
  useEffect(() => {
    if (name) open(readStored(name));
  }, [name]);
  useEffect(() => {
    if (!name || (draft === begun.current.draft && when === begun.current.when)) return;
    if (draft.title.trim() === '' && draft.body.trim() === '') forgetStored(name);
    else store(name, JSON.stringify({ draft, when }));
    setKept(readStored(name) !== null);
  }, [name, draft, when]);
  const forget = () => {
    if (name) forgetStored(name);
    begun.current = content;
    setKept(false);
  };
  const discard = () => {
    forgetStored(name);
    beginAnew();
  };
  return { isKept, isShared, forget, discard };
}
