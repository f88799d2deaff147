'use client';

import { Send } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { draftPrefix, useHasDraft } from '#app/owner/sends/new/device-draft.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';

/** Leads to the page of a new message, and says so if a draft of this name waits there. */
export function ComposeLink({ draftName }: { draftName: string }) {
  const t = useTranslations('owner');
  return (
    <ButtonLink href="/owner/sends/new" icon={<Send />}>
      {useHasDraft(`${draftPrefix}${draftName}`) ? t('continueDraft') : t('send')}
    </ButtonLink>
  );
}
