import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { FormDraft } from '#app/owner/sends/new/form-draft.ts';
import type { When } from '#app/owner/sends/when/when-fields.tsx';
import { forgetStored, readStored, store } from '#app/ui/storage/local-storage.ts';

/** The names of drafts on this device begin with it. A sign-out removes them. */
export const draftPrefix = 'draft ';

type Content = { draft: FormDraft; when: When };

/**
 * Keeps what a person writes on this device under a name, until it is sent or thrown away: without a
 * network, after a reload, in the next tab. `restore` gets what was kept. Without a name nothing is
 * kept. `isKept` tells whether the device has it now, `isShared` whether another tab changes it too. All tabs that are open show the same draft: what
 * one changes, sends or throws away changes in the others.
 */
export function useDeviceDraft(name: string | null, content: Content, restore: (content: Content) => void) {
  const [isKept, setKept] = useState(false);
  const [isShared, setShared] = useState(false);
  const first = useRef(content);
  const begun = useRef(content);
  const open = useEffectEvent(() => {
    const stored = name && parse(readStored(name));
    if (stored) restore({ draft: { ...content.draft, ...stored.draft }, when: { ...content.when, ...stored.when } });
  });
  const follow = useEffectEvent((event: StorageEvent) => {
    if (event.key !== name) return;
    setShared(event.newValue !== null);
    if (event.newValue !== null) return open();
    begun.current = first.current;
    restore(first.current);
    setKept(false);
  });
  useEffect(() => {
    open();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  const { draft, when } = content;
  useEffect(() => {
    if (!name || (draft === begun.current.draft && when === begun.current.when)) return;
    if (draft.title.trim() === '' && draft.body.trim() === '') forgetStored(name);
    else store(name, JSON.stringify({ draft, when }));
    setKept(readStored(name) !== null);
  }, [name, draft, when]);
  const forget = (next = content) => {
    if (name) forgetStored(name);
    begun.current = next;
    setKept(false);
  };
  return { isKept, isShared, forget };
}

/** Tells whether the device keeps a draft of this name. */
export function useHasDraft(name: string): boolean {
  return useSyncExternalStore(
    watchStorage,
    () => readStored(name) !== null,
    () => false,
  );
}

function watchStorage(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

function parse(text: string | null): Partial<Content> | null {
  try {
    return text === null ? null : (JSON.parse(text) as Partial<Content>);
  } catch {
    return null;
  }
}
