'use client';

import { useWindowEvent } from '@mantine/hooks';
import { Send } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { draftPrefix } from '#app/owner/sends/new/device-draft.ts';
import { readStored } from '#app/ui/storage/local-storage.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';

type Props = { draftName: string; text: string; textOfDraft: string };

/** Leads to the page of a new message, and says so if a draft of this name waits there. */
export function ComposeLink({ draftName, text, textOfDraft }: Props) {
  const [hasDraft, setHasDraft] = useState(false);
  const look = () => setHasDraft(readStored(`${draftPrefix}${draftName}`) !== null);
  useEffect(look, [draftName]);
  useWindowEvent('storage', look);
  return (
    <ButtonLink href="/owner/sends/new" icon={<Send />}>
      {hasDraft ? textOfDraft : text}
    </ButtonLink>
  );
}

/**
 * The first steps of a company, loaded on demand. They are not in `owner-parts.tsx`: when a page and its layout load
 * parts through one file, Next lists scripts for the page that the build does not have.
 */
export const FirstSteps = dynamic(() => import('#app/owner/home/first-steps.tsx').then(({ FirstSteps }) => FirstSteps));
