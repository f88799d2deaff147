import '@mantine/core/styles/Image.css';
import { ActionIcon, Button, FileButton, Group, Image, Text } from '@mantine/core';
import { ImagePlus, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { type FormDraft, makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormProblems } from '#app/ui/forms/form-values.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { shrinkPicture } from '#app/ui/pictures/shrink-picture.ts';

// Stores the picture under an id of its own, which the draft then names.
async function uploadPicture(file: File): Promise<Result<string>> {
  const body = await shrinkPicture(file);
  if (!body) return { problems: { form: 'not-a-picture' } };
  const id = makeDraftId();
  const response = await fetch(`/picture/${id}`, { method: 'POST', headers: { 'Content-Type': 'image/jpeg' }, body });
  const result = (await response.json()) as Result<unknown>;
  return 'value' in result ? { value: id } : result;
}

type OnChange = (changes: Partial<FormDraft>) => void;

/** Uploads the picture of a message, which only its recipients see. `refusal` says why it was refused. */
export function usePictureUpload(onChange: OnChange) {
  const t = useTranslations('compose');
  const sentences = { 'not-a-picture': t('notAPicture') };
  const { run, pending, problems } = useAction(uploadPicture, (id) => onChange({ picture: id }), sentences);
  return { run, pending, refusal: Object.values(problems)[0] };
}

/** The icon in the field of the text that chooses a picture. */
export function PictureButton({ run, pending }: ReturnType<typeof usePictureUpload>) {
  const label = useTranslations('compose')('pictureAdd');
  return (
    <FileButton accept="image/*" onChange={(file) => file && void run(file)}>
      {(props) => (
        <ActionIcon {...props} variant="subtle" color="gray" loading={pending} aria-label={label} title={label}>
          <ImagePlus size={20} />
        </ActionIcon>
      )}
    </FileButton>
  );
}

type ChosenProps = { picture: string | null; refusal: string | undefined; onChange: OnChange };

/** The chosen picture below the text, or why there is none. */
export function ChosenPicture({ picture, refusal, onChange }: ChosenProps) {
  const t = useTranslations('compose');
  const problem = refusal ?? use(FormProblems).picture;
  if (problem)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {problem}
      </Text>
    );
  if (!picture) return null;
  return (
    <Group gap="xs">
      <Image src={`/picture/${picture}`} alt={t('pictureChosen')} w="auto" h={72} maw={132} radius="md" />
      <Button variant="subtle" color="gray" leftSection={<Trash2 />} onClick={() => onChange({ picture: null })}>
        {t('pictureRemove')}
      </Button>
      <Text className="fine-print" w="100%">
        {t('pictureHint')}
      </Text>
    </Group>
  );
}
