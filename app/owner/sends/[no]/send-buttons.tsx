'use client';

import { Button, Stack, Text } from '@mantine/core';
import { BellRing, BookmarkPlus, PencilLine, Repeat2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Correctable } from '#app/owner/sends/[no]/correct-dialog.tsx';
import { remindAllAction, remindOneAction } from '#app/owner/sends/actions.ts';
import { makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useSentences } from '#app/ui/forms/sentences.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionButtons, ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { ConfirmedAction, DialogButton } from '#app/ui/sessions/form-dialog.tsx';

const CorrectDialog = whenNeeded(() => import('#app/owner/sends/[no]/correct-dialog.tsx'), 'CorrectDialog', {
  texts: true,
});

export function CorrectButton(send: Correctable) {
  const t = useTranslations('sends');
  return (
    <DialogButton variant="default" icon={PencilLine} text={t('correct')}>
      {(close) => <CorrectDialog send={send} onClose={close} />}
    </DialogButton>
  );
}

/** The button that reminds all recipients who have not confirmed a send, after a question. */
export function RemindAll({ no, count = 0 }: { no: number; count?: number }) {
  const t = useTranslations('mustRead');
  const [draftId, setDraftId] = useState(() => makeDraftId());
  return (
    <ConfirmedAction
      look={{ variant: 'filled', leftSection: <BellRing /> }}
      words={t('remindAll')}
      action={remindAllAction}
      input={{ no, draftId }}
      onDone={() => setDraftId(makeDraftId())}
      sentences={useSentences(['mustRead'])}
      title={t('remindAllTitle', { count })}
      submit={t('remindOne')}
      text={t('remindAllText')}
    />
  );
}

/** The button that reminds one recipient who has not confirmed a send. */
export function RemindButton({ no, person }: { no: number; person: { id: number; name: string } }) {
  const t = useTranslations('mustRead');
  const router = useRouter();
  const [reach, setReach] = useState<number>();
  const follow = (reached: number) => {
    setReach(reached);
    router.refresh();
  };
  const { run, pending, problems } = useAction(remindOneAction, follow, useSentences(['mustRead']));
  return (
    <Stack gap={4} maw={320}>
      <Button
        variant="subtle"
        loading={pending}
        aria-label={t('remindNamed', { name: person.name })}
        onClick={() => void run({ no, employeeId: person.id })}
      >
        {t('remindOne')}
      </Button>
      <Text size="sm" role="status" c={problems.form && 'var(--mantine-color-error)'}>
        {problems.form ?? (reach !== undefined && t('reminded', { count: reach }))}
      </Text>
    </Stack>
  );
}

/** Makes another send or a template of a send, as a menu beside other buttons or as buttons (`alone`). */
export function SendAgain({ no, alone }: { no: number; alone: boolean }) {
  const t = useTranslations('sends');
  const entries = [
    { href: `/owner/sends/new?again=${no}`, text: t('sendAgain'), icon: Repeat2 },
    { href: `/owner/sends/templates/new?of=${no}`, text: t('asTemplate'), icon: BookmarkPlus },
  ];
  return alone ? <ActionButtons entries={entries} /> : <ActionMenu label={t('more')} outlined entries={entries} />;
}
