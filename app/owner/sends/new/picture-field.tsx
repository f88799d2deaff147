import { Button, FileButton, Group, Image, Input, Text } from '@mantine/core';
import { ImagePlus, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormDraft, makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import type { Result } from '#app/ui/forms/fields.ts';
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

type Props = {
  draft: FormDraft;
  problem?: string;
  isRule: boolean;
  onChange: (changes: Partial<FormDraft>) => void;
};

/** One picture for the message, which only its recipients see. A repeating message has none. */
export function PictureField({ draft: { picture }, problem, isRule, onChange }: Props) {
  const t = useTranslations('compose');
  const sentences = { 'not-a-picture': t('notAPicture'), 'not-a-jpeg': t('notAPicture') };
  const { run, pending, problems } = useAction(uploadPicture, (id) => onChange({ picture: id }), sentences);
  const [refused = problem] = Object.values(problems);
  if (isRule) return <Text className="fine-print">{t('ruleWithoutPicture')}</Text>;
  return (
    <Input.Wrapper label={t('picture')} labelElement="div" description={t('pictureHint')} error={refused}>
      <Group mt={6} gap="sm">
        {picture && (
          <Image src={`/picture/${picture}`} alt={t('pictureChosen')} w="auto" maw={132} mah={132} radius="md" />
        )}
        <FileButton accept="image/*" onChange={(file) => file && void run(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={pending} leftSection={<ImagePlus aria-hidden size={18} />}>
              {t(picture ? 'pictureReplace' : 'pictureAdd')}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Trash2 aria-hidden size={18} />}
            onClick={() => onChange({ picture: null })}
          >
            {t('pictureRemove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
