import { Alert, Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

/** `shown`: an earlier link again, or a new one; `another` leaves an earlier one valid. */
type LinkResult = { link: string; shown?: 'again' | 'new' | 'another' };

type Props = Omit<ComponentProps<typeof LinkToHandOver>, 'link' | 'message'> & {
  id: number;
  /** Shows the valid link; with `anew`, one that ends it. */
  action: (input: { id: number; anew: boolean }) => Promise<Result<LinkResult>>;
  sentences: Record<string, string>;
  title: string;
  text: (shown: LinkResult['shown']) => string;
  /** Whether the link is made at once, and not after a press. */
  isImmediate?: boolean;
  messageWith: (link: string) => string;
  above?: (link: string) => ReactNode;
};

export function LinkDialog(props: Props) {
  const { id, action, sentences, title, text, isImmediate, messageWith, above, ...handOver } = props;
  const t = useTranslations('form');
  const [result, setResult] = useState<LinkResult>();
  const { run, pending, problems } = useAction(action, setResult, sentences);
  const show = (anew: boolean) => void run({ id, anew });
  return (
    <Dialog onClose={handOver.onClose} title={<bdi>{title}</bdi>} size="lg" closeOnClickOutside={false}>
      {isImmediate && <RunOnMount run={() => show(false)} />}
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Text>{text(result?.shown)}</Text>
      {result?.shown === 'again' && (
        <Button variant="default" loading={pending} onClick={() => show(true)}>
          {t('newLink')}
        </Button>
      )}
      {result && above?.(result.link)}
      {result ? (
        <LinkToHandOver {...handOver} link={result.link} message={messageWith(result.link)} />
      ) : (
        <FormButtons
          isQuestion
          submit={t(isImmediate ? 'openLink' : 'makeLink')}
          pending={pending}
          onCancel={handOver.onClose}
          onSubmit={() => show(false)}
        />
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
