'use client';

import '#app/owner/sends/new/recipients.css';
import { Alert, Radio, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { PeopleChoice } from '#app/owner/sends/new/people-choice.tsx';
import { RoleChoice } from '#app/owner/sends/new/role-choice.tsx';
import { type FormDraft, isRecipientKind, recipientKinds } from '#app/owner/sends/new/use-draft.ts';
import { PersonSelect } from '#app/owner/sends/person-select.tsx';
import type { RoleCount } from '#server/sends/possible-recipients.ts';

/** How many people a draft would reach now, and how many more are inactive. */
export type Reached = { active: number; inactive: number };

/** Counts the recipients of a draft. `active` is the number of all active employees. */
export function countReached(
  { to, recipient, roles, people }: FormDraft,
  active: number,
  counts: RoleCount[],
): Reached {
  if (to === 'everyone') return { active, inactive: 0 };
  const chosen = to === 'one' ? [recipient].flatMap((person) => person ?? []) : people;
  const groups =
    to === 'roles'
      ? counts.filter(({ role }) => roles.includes(role))
      : chosen.map((person) => ({ active: Number(person.active), inactive: Number(!person.active) }));
  return {
    active: groups.reduce((sum, group) => sum + group.active, 0),
    inactive: groups.reduce((sum, group) => sum + group.inactive, 0),
  };
}

type Props = {
  draft: FormDraft;
  active: number;
  roles: RoleCount[];
  problem?: string;
  onChange: (changes: Partial<FormDraft>) => void;
};

/** The fields for the recipients: all employees, one, roles or several chosen people. */
export function RecipientFields({ draft, active, roles, problem, onChange }: Props) {
  const t = useTranslations('compose');
  const { to, recipient } = draft;
  return (
    <>
      <Radio.Group
        label={t('to')}
        value={to}
        onChange={(value) => isRecipientKind(value) && onChange({ to: value })}
        size="md"
      >
        <Stack gap={0} className="tall">
          {recipientKinds.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              size="md"
              label={
                kind === 'everyone' ? `${t('everyone')} (${t('everyoneCount', { count: active })})` : t(`to_${kind}`)
              }
            />
          ))}
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
      {to === 'roles' && (
        <RoleChoice
          roles={roles}
          chosen={draft.roles}
          error={problem}
          onChange={(chosen) => onChange({ roles: chosen })}
        />
      )}
      {to === 'people' && (
        <PeopleChoice chosen={draft.people} error={problem} onChange={(people) => onChange({ people })} />
      )}
      {(to === 'roles' || to === 'people') && <ReachedText reached={countReached(draft, active, roles)} />}
      {to === 'one' && recipient && !recipient.active && (
        <Alert color="orange">{t('inactiveNote', { name: recipient.name })}</Alert>
      )}
      {to === 'everyone' && active === 0 && <Alert color="orange">{t('nobodyNote')}</Alert>}
    </>
  );
}

function ReachedText({ reached: { active, inactive } }: { reached: Reached }) {
  const t = useTranslations('compose');
  if (active + inactive === 0) return null;
  if (active === 0) return <Alert color="orange">{t('allInactiveNote')}</Alert>;
  return (
    <Text size="sm" fw={600} role="status" data-reached={active}>
      {inactive > 0 ? t('reachedSkipped', { active, inactive }) : t('reached', { active })}
    </Text>
  );
}
