'use client';

import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import { privateKinds } from '#server/notifications/kinds.ts';

type Props = { draft: FormDraft; sender: string; mustConfirm: boolean };

/** The pop-up as recipients see it; for a private kind also as it looks with hidden text. */
export function Preview(props: Props) {
  const t = useTranslations('compose');
  return (
    <section aria-labelledby="preview">
      <Title order={2} size="h4" id="preview" mb="sm">
        {t('preview')}
      </Title>
      <Stack gap="sm" className="preview">
        <PopUp {...props} hidden={false} />
        {privateKinds.includes(props.draft.kind) && (
          <>
            <Text size="sm">{t('previewPrivate')}</Text>
            <PopUp {...props} hidden />
          </>
        )}
      </Stack>
    </section>
  );
}

function PopUp({ draft: { kind, title, body, url }, sender, mustConfirm, hidden }: Props & { hidden: boolean }) {
  const t = useTranslations();
  return (
    <Paper withBorder shadow="md" px="md" py={4} maw={356} pos="relative" data-preview={hidden ? 'hidden' : 'shown'}>
      <div className="pop-up-title">
        <KindIcon kind={kind} size={18} />
        <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping">
          {title || t('compose.previewTitle')}
        </Text>
      </div>
      {hidden ? (
        <span className="private-body">
          <EyeOff aria-hidden size={16} />
          {t('inbox.hidden')}
        </span>
      ) : (
        <Text dir="auto" size="sm" className="multiline wrapping" lineClamp={4}>
          {body || t('compose.previewBody')}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4} mb={8}>
        {t(`inbox.kind.${kind}`)} · <bdi>{t('bell.fromPerson', { sender })}</bdi>
      </Text>
      {mustConfirm && (
        <Button component="span" size="sm" mb={8} style={{ pointerEvents: 'none' }}>
          {t('mustRead.confirm')}
        </Button>
      )}
      {url !== '' && (
        <Text size="sm" c="var(--mantine-color-anchor)" mb={8}>
          {t('bell.open')}
        </Text>
      )}
    </Paper>
  );
}
