'use client';

import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { setMustConfirmKindsAction } from '#app/owner/sends/actions.ts';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';

export function KindRules({ chosen }: { chosen: Kind[] }) {
  const t = useTranslations();
  const [saved, setSaved] = useState(false);
  const { run, pending, problems } = useAction(setMustConfirmKindsAction, () => setSaved(true));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const picked = new FormData(event.currentTarget).getAll('kind');
    void run({ kinds: kinds.filter((kind) => picked.includes(kind)) });
  };
  return (
    <form onSubmit={submit} onChange={() => setSaved(false)}>
      <Stack gap={0} component="fieldset" bd={0} p={0} m={0} aria-labelledby="kinds-title" className="tall">
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            name="kind"
            value={kind}
            defaultChecked={chosen.includes(kind)}
            label={
              <Group component="span" gap={8} wrap="nowrap" mih={44}>
                <KindIcon kind={kind} size={18} />
                {t(`inbox.kind.${kind}`)}
              </Group>
            }
            styles={{ body: { alignItems: 'center' } }}
          />
        ))}
      </Stack>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Group mt="sm">
        <Button type="submit" loading={pending}>
          {t('form.save')}
        </Button>
        <Text role="status" size="sm">
          {saved && t('mustRead.saved')}
        </Text>
      </Group>
    </form>
  );
}
