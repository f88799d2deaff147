import { Button, Group, Stack, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { confirmAction } from '#app/portal/notification/actions.ts';
import { Choices, takeFocus } from '#app/portal/notification/choices.tsx';
import { answerOf } from '#app/portal/notification/item.ts';
import { announce } from '#app/ui/dialogs/announce.ts';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';

/** The buttons that confirm or answer a notification, or what was given. A picture must be shown (`isShown`) before. */
export function Confirm({ item, isShown = true }: { item: Item; isShown?: boolean }) {
  const t = useTranslations('mustRead');
  const { answers, mustConfirm, confirmedAt, title } = item;
  const { run, pending, problem, isStored } = useConfirm(item);
  const [isChanging, setChanging] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(44);
  if (!mustConfirm && !answers) return null;
  const given = answerOf(item);
  const choose = async (choice: number) => {
    setHeight(place.current?.offsetHeight ?? height);
    if (await run(answers && choice)) setChanging(false);
  };
  if (mustConfirm && (isChanging || !(answers ? given : confirmedAt)))
    return (
      <Stack ref={place} gap={4} mt={8} mih={44} justify="center">
        <Choices
          {...{ title, pending }}
          choices={answers ?? [t('confirm')]}
          given={item.answer}
          disabled={!isShown}
          onChoose={(choice) => void choose(choice)}
        />
        {problem && (
          <Text size="sm" c="red.8" role="alert">
            {t(problem)}
          </Text>
        )}
      </Stack>
    );
  return (
    <Group gap="0 6px" mt={8} mih={height} c="dimmed" data-confirmed>
      {confirmedAt && <BadgeCheck />}
      <Text size="sm">
        {given && <bdi>{t('answered', { answer: given })} · </bdi>}
        {!mustConfirm && t('closed')}
        {!answers && t('confirmed')} {!answers && confirmedAt && <TimeAgo at={confirmedAt} />}
      </Text>
      {given && mustConfirm && (
        <Button
          variant="subtle"
          px="xs"
          className="settle"
          aria-label={t('changeNamed', { title: withoutMarks(title) })}
          // In place of the button that was pressed.
          ref={isStored ? takeFocus : undefined}
          onClick={() => setChanging(true)}
        >
          {t('change')}
        </Button>
      )}
    </Group>
  );
}

const problems: Record<string, 'offline' | 'ended'> = { offline: 'offline', 'nothing-to-confirm': 'ended' };

function useConfirm({ no, remindsNo, answers }: Item) {
  const t = useTranslations('mustRead');
  const portal = usePortal();
  const [pending, setPending] = useState<number | null>(null);
  const [problem, setProblem] = useState<'failed' | 'offline' | 'ended' | null>(null);
  const [isStored, setStored] = useState(false);
  const confirmed = remindsNo ?? no;
  const run = async (answer: number | null) => {
    if (pending !== null) return false;
    setPending(answer ?? 1);
    const action = confirmAction({ no: confirmed, answer });
    const result = await portal.storeMarked(action, ({ confirmedAt: at }) => ({ confirmed, at, answer }));
    setPending(null);
    const isStored = 'value' in result;
    setStored(isStored);
    setProblem(isStored ? null : (problems[result.problem] ?? 'failed'));
    if (isStored) announce(answer ? t('answered', { answer: answers?.[answer - 1] ?? '' }) : t('thanks'));
    return isStored;
  };
  return { run, pending, problem, isStored };
}
