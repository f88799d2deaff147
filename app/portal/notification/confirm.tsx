import { Button, Group, Stack, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { confirmAction } from '#app/portal/notification/actions.ts';
import { AnswerGrid } from '#app/portal/notification/answer-grid.tsx';
import { answerOf } from '#app/portal/notification/item.ts';
import { announce } from '#app/ui/dialogs/announce.ts';
import { withoutMarks } from '#app/ui/text/text-marks.ts';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/**
 * The confirmation of a notification that asks for one, or for an answer: its buttons, or what was confirmed. A
 * reminder confirms the notification that it reminds of. Without `isShown` its picture cannot be seen
 * yet, and nobody confirms that. Both states have one height, so that nothing below them moves.
 */
export function Confirm({ item, isShown = true }: { item: Item; isShown?: boolean }) {
  const t = useTranslations('mustRead');
  const { answers, answer, mustConfirm, confirmedAt, title } = item;
  const { run, pending, problem, isStored } = useConfirm(item);
  const [isChanging, setChanging] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(44);
  if (!mustConfirm && !answers) return null;
  const given = answerOf(item);
  const isClosed = !mustConfirm;
  if (isClosed || (answers ? given !== undefined && !isChanging : confirmedAt))
    return (
      <Group gap="0 6px" mt={8} mih={height} c="dimmed" data-confirmed>
        {confirmedAt && <BadgeCheck />}
        <Text size="sm">
          {given !== undefined && <bdi>{t('answered', { answer: given })}</bdi>}
          {!answers && confirmedAt && (
            <>
              {t('confirmed')} <TimeAgo at={confirmedAt} />
            </>
          )}
          {given !== undefined && ' · '}
          {isClosed && t('closed')}
        </Text>
        {given !== undefined && !isClosed && (
          <Button
            variant="subtle"
            px="xs"
            className="settle"
            aria-label={t('changeNamed', { title: withoutMarks(title) })}
            // In place of the button that was pressed.
            ref={(button) => {
              if (isStored && document.activeElement === document.body) button?.focus({ preventScroll: true });
            }}
            onClick={() => setChanging(true)}
          >
            {t('change')}
          </Button>
        )}
      </Group>
    );
  const give = async (choice: number | null) => {
    setHeight(place.current?.offsetHeight ?? height);
    const thanks = choice ? t('answered', { answer: answers?.[choice - 1] ?? '' }) : t('thanks');
    if (await run(choice, thanks)) setChanging(false);
  };
  return (
    <Stack ref={place} gap={4} mt={8} mih={44} justify="center">
      {answers ? (
        <AnswerGrid
          {...{ answers, title, pending }}
          given={answer}
          disabled={!isShown}
          onPress={(choice) => void give(choice)}
        />
      ) : (
        <div>
          <Button
            size="sm"
            className="settle"
            loading={pending !== null}
            disabled={!isShown}
            aria-label={t('confirmNamed', { title: withoutMarks(title) })}
            onClick={() => void give(null)}
          >
            {t('confirm')}
          </Button>
        </div>
      )}
      {problem && (
        <Text size="sm" c="red.8" role="alert">
          {t(problem)}
        </Text>
      )}
    </Stack>
  );
}

/** Confirms or answers a notification. `pending` is the place of the answer that is being stored, 0 without one. */
function useConfirm({ no, remindsNo }: Item) {
  const portal = usePortal();
  const [pending, setPending] = useState<number | null>(null);
  const [problem, setProblem] = useState<'failed' | 'offline' | 'ended' | null>(null);
  const [isStored, setStored] = useState(false);
  const confirmed = remindsNo ?? no;
  const run = async (answer: number | null, thanks: string) => {
    setPending(answer ?? 0);
    const result = await confirmAction({ no: confirmed, answer }).catch(() => null);
    setPending(null);
    const isRefused = result !== null && 'problems' in result;
    const refusal = isRefused && result.problems.form === 'nothing-to-confirm' ? 'ended' : 'failed';
    setProblem(result ? (isRefused ? refusal : null) : 'offline');
    if (result) portal.checkSession(result);
    if (!(result && 'value' in result)) return false;
    setStored(true);
    portal.recordMarked({ confirmed, at: result.value.confirmedAt, answer }, result.value.unread);
    announce(thanks);
    return true;
  };
  return { run, pending, problem, isStored };
}
