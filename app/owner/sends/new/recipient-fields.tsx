'use client';

import { Alert, Radio, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { PersonSelect } from '#app/owner/sends/person-select.tsx';

/** The fields for the recipient: all employees or one. */
export function RecipientFields({
  draft: { to, recipient },
  active,
  problem,
  onChange,
}: {
  draft: FormDraft;
  active: number;
  problem?: string;
  onChange: (changes: Partial<FormDraft>) => void;
}) {
  const t = useTranslations('compose');
  return (
    <>
      <Radio.Group
        label={t('to')}
        value={to}
        onChange={(value) => onChange({ to: value === 'one' ? 'one' : 'everyone' })}
        size="md"
      >
        <Stack gap={0} className="tall">
          <Radio value="everyone" size="md" label={`${t('everyone')} (${t('everyoneCount', { count: active })})`} />
          <Radio value="one" size="md" label={t('one')} />
        </Stack>
      </Radio.Group>
      {to === 'one' && (
        <PersonSelect
          label={t('person')}
          placeholder={t('personHint')}
          initial={recipient}
          error={problem}
          required
          onChoose={(person) => onChange({ recipient: person })}
        />
      )}
      {to === 'one' && recipient && !recipient.active && (
        <Alert color="orange">{t('inactiveNote', { name: recipient.name })}</Alert>
      )}
      {to === 'everyone' && active === 0 && <Alert color="orange">{t('nobodyNote')}</Alert>}
    </>
  );
}
