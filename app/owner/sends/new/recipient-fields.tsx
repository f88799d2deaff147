import '#app/ui/forms/controls.css';
import { Alert, Chip, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Fold } from '#app/owner/sends/new/fold.tsx';
import { type FormDraft, recipientKinds } from '#app/owner/sends/new/form-draft.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { RoleCount } from '#server/sends/manual/possible-recipients.ts';

const load = () => import('#app/owner/sends/person-select.tsx');
const PersonSelect = whenNeeded(load, 'PersonSelect', { height: 72 });
const PeopleSelect = whenNeeded(load, 'PeopleSelect', { height: 72 });
const RoleSelect = whenNeeded(load, 'RoleSelect', { height: 72 });

/** Counts the recipients that a draft has now, and its inactive people. `active`: all active employees. */
export function countReached(draft: FormDraft, active: number, counts: RoleCount[]): Omit<RoleCount, 'role'> {
  if (draft.to === 'everyone') return { active, inactive: 0 };
  const groups =
    draft.to === 'roles'
      ? counts.filter(({ role }) => draft.roles.includes(role))
      : peopleOf(draft).map((person) => ({ active: Number(person.active), inactive: Number(!person.active) }));
  return {
    active: groups.reduce((sum, group) => sum + group.active, 0),
    inactive: groups.reduce((sum, group) => sum + group.inactive, 0),
  };
}

const peopleOf = ({ to, recipient, people }: FormDraft) =>
  to === 'one' ? [recipient].filter((person) => person !== null) : people;

type Props = {
  draft: FormDraft;
  active: number;
  roles: RoleCount[];
  problems: Record<string, string>;
  onChange: (changes: Partial<FormDraft>) => void;
};

/** One line that says who receives it, and opens the choice. */
export function RecipientFields({ draft, active, roles, problems, onChange }: Props) {
  const t = useTranslations('compose');
  const { to, recipient } = draft;
  const problem = problems.recipientId;
  const reached = countReached(draft, active, roles);
  const names = peopleOf(draft).map(({ name }) => name);
  const chosen = { everyone: [], roles: draft.roles, one: names, people: names }[to].join(', ');
  // A role that nobody has any more stays visible, so that it can be removed.
  const gone = draft.roles.filter((role) => !roles.some((count) => count.role === role));
  const counted = roles.map(({ role, active, inactive }) => {
    const count = inactive > 0 ? t('roleCounts', { active, inactive }) : t('roleCount', { active });
    return { value: role, label: `${role} · ${count}` };
  });
  const isNobody = (to === 'roles' || to === 'people') && reached.active === 0 && reached.inactive > 0;
  const warning =
    (isNobody && t('allInactiveNote')) ||
    (to === 'everyone' && active === 0 && t('nobodyNote')) ||
    (to === 'one' && recipient && !recipient.active && t('inactiveNote', { name: recipient.name }));
  return (
    <div>
      <Fold
        label={t('to')}
        summary={<bdi>{chosen || t(`to_${to}`)}</bdi>}
        detail={to === 'everyone' || (to !== 'one' && chosen) ? t('people_', { count: reached.active }) : undefined}
        opened={problem !== undefined || (to === 'one' && !recipient)}
      >
        <Chip.Group value={to} onChange={(value) => onChange({ to: recipientKinds.find((kind) => kind === value) })}>
          <Group gap={6} role="radiogroup" aria-label={t('to')}>
            {recipientKinds.map((kind) => (
              <Chip key={kind} value={kind}>
                {t(`to_${kind}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
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
          <RoleSelect
            label={t('roles')}
            data={[...gone, ...counted]}
            value={draft.roles}
            error={problem}
            required
            onChange={(names) => onChange({ roles: names })}
          />
        )}
        {to === 'people' && (
          <PeopleSelect
            label={t('people')}
            placeholder={t('personHint')}
            chosen={draft.people}
            error={problem}
            required
            onChoose={(people) => onChange({ people })}
          />
        )}
        {(to === 'roles' || to === 'people') && reached.active > 0 && (
          <Text size="sm" fw={600} role="status" data-reached={reached.active}>
            {reached.inactive > 0
              ? t('reachedSkipped', { active: reached.active, inactive: reached.inactive })
              : t('reached', { active: reached.active })}
          </Text>
        )}
      </Fold>
      {warning && (
        <Alert color="orange" mt="xs">
          {warning}
        </Alert>
      )}
    </div>
  );
}
