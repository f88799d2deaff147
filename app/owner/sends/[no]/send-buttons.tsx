'use client';

import { Button, Stack, Text } from '@mantine/core';
import { BellRing, BookmarkPlus, CircleCheck, PencilLine, Repeat2, Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { closeQuestionAction, remindAllAction, remindOneAction, withdrawSendAction } from '#app/owner/sends/actions.ts';
import { makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useSentences } from '#app/ui/forms/sentences.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionMenu, MainAction } from '#app/ui/lists/action-menu.tsx';
import { ActionDialog, ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { withoutMarks } from '#server/notifications/text-marks.ts';
import type { SendDetails } from '#server/sends/history/details.ts';

const CorrectDialog = whenNeeded(() => import('#app/owner/sends/[no]/correct-dialog.tsx'), 'CorrectDialog', {
  texts: true,
});

/** What can be done with a send: one button, and the rest in a menu. `missing`: how many must still confirm it, if any. */
export function SendActions({ send, missing }: { send: SendDetails; missing?: number }) {
  const t = useTranslations('sends');
  const [asking, ask, close] = useOpenDialog<'correct' | 'close' | 'withdraw'>();
  const { no, title, isCorrectable, mustConfirm, answers, closedAt } = send;
  const isOpen = send.withdrawnAt === null && send.reach > 0;
  const isQuestion = isOpen && mustConfirm && answers !== null && closedAt === null;
  const entries = [
    isCorrectable && isOpen && { text: t('correct'), icon: PencilLine, onChoose: () => ask('correct') },
    isQuestion && { text: t('close'), icon: CircleCheck, onChoose: () => ask('close') },
    { href: `/owner/sends/new?again=${no}`, text: t('sendAgain'), icon: Repeat2 },
    { href: `/owner/sends/templates/new?of=${no}`, text: t('asTemplate'), icon: BookmarkPlus },
    isOpen && { text: t('withdraw'), icon: Undo2, isDestructive: true, onChoose: () => ask('withdraw') },
  ].filter((entry) => entry !== false);
  return (
    <>
      {missing === undefined ? (
        <MainAction label={t('more')} entries={entries} />
      ) : (
        <>
          <RemindAll no={no} count={missing} />
          <ActionMenu label={t('more')} outlined entries={entries} />
        </>
      )}
      {asking === 'correct' && <CorrectDialog send={send} onClose={close} />}
      {(asking === 'close' || asking === 'withdraw') && (
        <ActionDialog
          action={asking === 'close' ? closeQuestionAction : withdrawSendAction}
          input={{ no }}
          sentences={{ gone: t(`${asking}Gone`) }}
          title={t(`${asking}Title`, { title: withoutMarks(title) })}
          submit={t(asking)}
          isDestructive={asking === 'withdraw'}
          text={t(`${asking}Text`)}
          onClose={close}
        />
      )}
    </>
  );
}

/** The button that reminds all who have not confirmed a send, after a question. `title`: it is in a row of this send. */
export function RemindAll({ no, count, title }: { no: number; count: number; title?: string }) {
  const t = useTranslations('mustRead');
  const [draftId, setDraftId] = useState(() => makeDraftId());
  const isRow = title !== undefined;
  const words = t(isRow ? 'remindMissing' : 'remindAll', { count });
  return (
    <ConfirmedAction
      look={isRow ? { variant: 'subtle', px: 0 } : { variant: 'filled', leftSection: <BellRing /> }}
      words={words}
      label={isRow ? `${words}: ${withoutMarks(title)}` : undefined}
      action={remindAllAction}
      input={{ no, draftId }}
      onDone={() => setDraftId(makeDraftId())}
      sentences={useSentences(['mustRead'])}
      isDestructive={false}
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
    <Stack gap={0} maw={320}>
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
