import { Button, Text } from '@mantine/core';
import { BookmarkPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { saveTemplateAction } from '#app/owner/sends/actions.ts';
import { asDraftInput, type FormDraft, useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

type Props = { draft: FormDraft; draftId: () => string };

/** The button that keeps what the form says as a template, after a dialog that asks for its name. */
export function SaveAsTemplate({ draft, draftId }: Props) {
  const t = useTranslations('templates');
  const [state, setState] = useState<'asking' | 'saved'>();
  return (
    <>
      <Button variant="subtle" leftSection={<BookmarkPlus aria-hidden size={18} />} onClick={() => setState('asking')}>
        {t('saveAs')}
      </Button>
      {state === 'saved' && (
        <Text size="sm" role="status">
          {t('saved')}
        </Text>
      )}
      {state === 'asking' && (
        <NameDialog
          draft={draft}
          draftId={draftId}
          onClose={() => setState(undefined)}
          onSaved={() => setState('saved')}
        />
      )}
    </>
  );
}

function NameDialog({ draft, draftId, onClose, onSaved }: Props & { onClose: () => void; onSaved: () => void }) {
  const t = useTranslations('templates');
  const { run, pending, problems } = useSaveTemplate(onSaved);
  const { name: nameProblem = '', ...others } = problems;
  const [other = ''] = Object.values(others);
  const submit = ({ name = '' }: Record<string, string>) => {
    if (!pending) void run({ ...asDraftInput(draft, draftId()), name, template: null });
  };
  return (
    <Dialog onClose={onClose} title={t('saveAs')}>
      <Form problems={{ name: nameProblem, form: other }} onSubmit={submit}>
        <Text size="sm">
          {t('saveAsText')} {draft.picture && t('withoutPicture')}
        </Text>
        <TextField name="name" label={t('name')} defaultValue={draft.title.slice(0, 60)} data-autofocus />
        <FormButtons submit={t('save')} pending={pending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

export function useSaveTemplate(onSaved: () => void) {
  const t = useTranslations('templates');
  const own = { nameTaken: t('nameTaken'), tooMany: t('tooMany'), templateGone: t('templateGone') };
  return useAction(saveTemplateAction, onSaved, { ...useDraftSentences(), ...own });
}
