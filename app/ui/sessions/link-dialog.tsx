import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

type Props = Omit<ComponentProps<typeof LinkToHandOver>, 'link' | 'message'> & {
  id: number;
  action: (input: { id: number }) => Promise<Result<{ link: string }>>;
  sentences: Record<string, string>;
  title: string;
  text: string;
  /** Whether the link is made at once, and not after a press. */
  isImmediate?: boolean;
  messageWith: (link: string) => string;
};

export function LinkDialog({ id, action, sentences, title, text, isImmediate, messageWith, ...handOver }: Props) {
  const t = useTranslations('form');
  const [link, setLink] = useState<string>();
  const { run, pending, problems } = useAction(action, (result) => setLink(result.link), sentences);
  const make = () => void run({ id });
  return (
    <Dialog onClose={handOver.onClose} title={<bdi>{title}</bdi>} size="lg" closeOnClickOutside={false}>
      {isImmediate && <RunOnMount run={make} />}
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Text>{text}</Text>
      {link ? (
        <LinkToHandOver {...handOver} link={link} message={messageWith(link)} />
      ) : (
        <FormButtons isQuestion submit={t('makeLink')} pending={pending} onCancel={handOver.onClose} onSubmit={make} />
      )}
    </Dialog>
  );
}

// Inside the dialog, so that the link is not created before the dialog that shows it is loaded.
function RunOnMount({ run }: { run: () => void }) {
  const hasRun = useRef(false);
  useEffect(() => {
    if (!hasRun.current) run();
    hasRun.current = true;
  }, [run]);
  return null;
}
