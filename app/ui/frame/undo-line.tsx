import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { PageLink } from '#app/ui/text/links.tsx';

type Action = { text: string; href: string } | { text: string; pending: boolean; run: () => void };

/** `said`: what a screen reader says instead of `text`, which counts down. */
type Props = { text: string; about: string; said?: string; action?: Action | false };

/** One line that says what was done or will be, with the button that undoes it or shows it. */
export function UndoLine({ text, about, said, action }: Props) {
  return (
    <Group className="status-line" gap="xs" wrap="nowrap" mih={58} pr={6}>
      <VisuallyHidden>{said ?? text}</VisuallyHidden>
      <Group gap="0 10px" flex={1} miw={0}>
        <Text fw={600} size="sm" aria-hidden>
          {text}
        </Text>
        <Text component="bdi" size="sm" c="dimmed" truncate maw="100%">
          {about}
        </Text>
      </Group>
      {action && 'href' in action && (
        <Button component={PageLink} href={action.href} variant="subtle" px="sm" flex="none">
          {action.text}
        </Button>
      )}
      {action && 'run' in action && (
        <Button variant="light" px="sm" flex="none" loading={action.pending} onClick={action.run}>
          {action.text}
        </Button>
      )}
    </Group>
  );
}
