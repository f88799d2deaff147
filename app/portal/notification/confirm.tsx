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

const problems: Record<string, 'offline' | 'ended'> = { offline: 'offline', 'nothing-to-confirm': 'ended' };

/** The buttons that confirm or answer a notification, or what was given. A picture must be shown (`isShown`) before. */
export function Confirm({ item, isShown = true }: { item: Item; isShown?: boolean }) {
  const t = useTranslations('mustRead');
  const portal = usePortal();
  const { no, remindsNo, answers, mustConfirm, confirmedAt, title } = item;
  const [pending, setPending] = useState<number | null>(null);
  const [problem, setProblem] = useState<'failed' | 'offline' | 'ended' | null>(null);
  const [isStored, setStored] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(44);
  if (!mustConfirm && !answers) return null;
  const given = answerOf(item);
  const choose = async (choice: number) => {
    if (pending !== null) return;
    setHeight(place.current?.offsetHeight ?? height);
    setPending(choice);
    const [confirmed, answer] = [remindsNo ?? no, answers && choice];
    const action = confirmAction({ no: confirmed, answer });
    const result = await portal.storeMarked(action, ({ confirmedAt: at }) => ({ confirmed, at, answer }));
    const stored = 'value' in result;
    setPending(null);
    setStored(stored);
    setProblem(stored ? null : (problems[result.problem] ?? 'failed'));
    if (!stored) return;
    announce(answers ? t('answered', { answer: answers[choice - 1] ?? '' }) : t('thanks'));
    setChanging(false);
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
