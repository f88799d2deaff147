import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { undoHeldSendAction, withdrawSendAction } from '#app/owner/sends/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import type { HeldSend } from '#server/sends/planned/planned-sends.ts';

/**
 * A send as it was last seen. `endsAt`: when its undo ends, or when its line goes, in ms of this page. `isLate`: an undo
 * arrived after it had left.
 */
type Line = HeldSend & { endsAt: number; isLate?: boolean };

const saidMs = 8000;

const asLine = (send: HeldSend): Line => ({
  ...send,
  endsAt: performance.now() + (send.state === 'held' ? send.undoableMs : saidMs),
});

// Keeps the lines of sends that left or were undone until they expire, and adds the others anew.
function follow(lines: Line[], sends: HeldSend[]): Line[] {
  const told = lines.filter(({ state, endsAt }) => state !== 'held' && endsAt > performance.now());
  const isTold = ({ draftId }: HeldSend) => told.some((line) => line.draftId === draftId);
  return [...told, ...sends.filter((send) => !isTold(send)).map(asLine)];
}

/**
 * A line at the foot of every page for each send that its sender can still undo, on all their devices. When it has left,
 * the line says so for a moment. `held` waited when the page was rendered. Polls each second, without a line every 4 s.
 */
export function HeldBar({ held }: { held: HeldSend[] }) {
  const router = useRouter();
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => setLines((now) => follow(now, held)), [held]);
  const waiting = lines.filter(({ state }) => state === 'held');
  const load = async () => {
    const knownDrafts = new URLSearchParams(waiting.map(({ draftId }) => ['known', draftId]));
    const response = await fetch(`/owner/sends/held?${knownDrafts}`, { cache: 'no-store' }).catch(() => null);
    const sends = response?.ok ? ((await response.json()) as HeldSend[]) : waiting;
    setLines((now) => follow(now, sends));
    if (response?.ok && sends.some(({ state }) => state === 'sent')) router.refresh();
  };
  useInterval(() => void (document.hidden || load()), lines.length > 0 ? 1000 : 4000, { autoInvoke: true });
  const change = (line: Line) => setLines((now) => [...now.filter(({ draftId }) => draftId !== line.draftId), line]);
  return (
    <div className="held-bar" role="status">
      {lines.map((line) => (
        <HeldLine key={line.draftId} line={line} onChange={change} />
      ))}
    </div>
  );
}

function HeldLine({ line, onChange }: { line: Line; onChange: (line: Line) => void }) {
  const t = useTranslations('undo');
  const router = useRouter();
  const { draftId, title, isReminder, state, isLate } = line;
  const onUndone = (undone: Pick<HeldSend, 'state'>) => {
    const isMessage = undone.state === 'undone' && !isReminder;
    // The form that opens says so too, therefore the line of a message goes at once.
    onChange({
      ...asLine({ ...line, ...undone } as HeldSend),
      ...(isMessage && { endsAt: 0 }),
      isLate: undone.state === 'sent',
    });
    if (isMessage) router.push(`/owner/sends/new?undone=${draftId}`);
  };
  const { run, pending, problems } = useAction(undoHeldSendAction, onUndone, { gone: t('nothing') });
  // The line stays while it is withdrawn, and then for its answer.
  const withdraw = (input: { no: number }) => {
    onChange({ ...line, endsAt: Number.POSITIVE_INFINITY });
    return withdrawSendAction(input).finally(() => onChange(asLine(line)));
  };
  const onWithdrawn = () => {
    onChange(asLine({ draftId, title, isReminder, state: 'undone' }));
    router.refresh();
  };
  const withdrawing = useAction(withdraw, onWithdrawn, { gone: t('nothing') });
  const seconds = Math.ceil((line.endsAt - performance.now()) / 1000);
  const sent = isReminder ? 'reminded' : 'sent';
  const texts = {
    held: () => (seconds > 0 ? t(isReminder ? 'reminderLeaves' : 'leaves', { seconds }) : t('leaving')),
    sent: () => t(isLate ? 'late' : sent, { count: state === 'sent' ? line.reach : 0 }),
    undone: () => t('undone'),
    missed: () => t('missed'),
    planned: () => t('missed'),
  };
  const href = state === 'sent' ? !isLate && `/owner/sends/${line.no}` : state === 'missed' && '/owner/sends/planned';
  const text = problems.form ?? withdrawing.problems.form ?? texts[state]();
  const button = (label: string, loading: boolean, act: () => Promise<void>) => (
    <Button variant="light" px="sm" flex="none" loading={loading} onClick={() => void act()}>
      {label}
    </Button>
  );
  return (
    <Group className="status-line" gap="xs" wrap="nowrap" mih={58} pr={6}>
      {/* Without the seconds, which a screen reader would announce each time. */}
      <VisuallyHidden>{state === 'held' ? t('held', { title }) : text}</VisuallyHidden>
      <Group gap="0 10px" flex={1} miw={0}>
        <Text fw={600} size="sm" aria-hidden>
          {text}
        </Text>
        <Text component="bdi" size="sm" c="dimmed" truncate maw="100%">
          {title}
        </Text>
      </Group>
      {href && (
        <Button component={PageLink} href={href} variant="subtle" px="sm" flex="none">
          {t('look')}
        </Button>
      )}
      {state === 'sent' && isLate && button(t('withdraw'), withdrawing.pending, () => withdrawing.run({ no: line.no }))}
      {state === 'held' && (seconds > 0 || pending) && button(t('undo'), pending, () => run({ draftId }))}
    </Group>
  );
}
