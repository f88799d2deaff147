import { Alert, Checkbox, Input, Pill, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type FormDraft, recipientKinds } from '#app/owner/sends/new/form-draft.ts';
import { PersonSelect, usePersonSearch } from '#app/owner/sends/person-select.tsx';
import type { PossibleRecipient, RoleCount } from '#server/sends/manual/possible-recipients.ts';

/** How many people a draft would reach now, and how many more are inactive. */
type Reached = { active: number; inactive: number };

/** Counts the recipients of a draft. `active` is the number of all active employees. */
export function countReached(draft: FormDraft, active: number, counts: RoleCount[]): Reached {
  const { to, recipient, roles, people } = draft;
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

export function RecipientFields({ draft, active, roles, problem, onChange }: Props) {
  const t = useTranslations('compose');
  const { to, recipient } = draft;
  return (
    <>
      <Radio.Group
        label={t('to')}
        value={to}
        onChange={(value) => onChange({ to: recipientKinds.find((kind) => kind === value) })}
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
          onChange={(names) => onChange({ roles: names })}
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

// A list that is longer gets a field to search in it.
const searchFrom = 9;

type ChoiceProps<Item> = { chosen: Item[]; error?: string; onChange: (chosen: Item[]) => void };

function RoleChoice({ roles, chosen, error, onChange }: ChoiceProps<string> & { roles: RoleCount[] }) {
  const t = useTranslations('compose');
  const [search, setSearch] = useState('');
  // A role that nobody has any more stays visible, so that it can be unchecked.
  const gone = chosen.filter((role) => !roles.some((one) => one.role === role));
  const all = [...gone.map((role) => ({ role, active: 0, inactive: 0 })), ...roles];
  const words = search.trim().toLowerCase();
  const shown = all.filter(({ role }) => role.toLowerCase().includes(words));
  const toggle = (role: string) =>
    onChange(chosen.includes(role) ? chosen.filter((one) => one !== role) : [...chosen, role]);
  return (
    <ChoiceRows
      label={t('roles')}
      error={error}
      search={all.length >= searchFrom ? { words: search, hint: t('rolesSearch'), onType: setSearch } : undefined}
      rows={shown.map(({ role, active, inactive }) => ({
        id: role,
        name: role,
        about: inactive > 0 ? t('roleCounts', { active, inactive }) : t('roleCount', { active }),
        isChosen: chosen.includes(role),
        onToggle: () => toggle(role),
      }))}
      nothing={t('noRoles')}
    />
  );
}

function PeopleChoice({ chosen, error, onChange }: ChoiceProps<PossibleRecipient>) {
  const t = useTranslations('compose');
  const [search, setSearch] = useState('');
  const { found, lookUpNow, lookUp } = usePersonSearch([]);
  const first = useRef(lookUpNow);
  useEffect(() => void first.current(''), []);
  const isChosen = (person: PossibleRecipient) => chosen.some((one) => one.id === person.id);
  const remove = (person: PossibleRecipient) => onChange(chosen.filter((one) => one.id !== person.id));
  const type = (words: string) => {
    setSearch(words);
    void lookUp(words);
  };
  return (
    <ChoiceRows
      label={t('people')}
      error={error}
      search={{ words: search, hint: t('personHint'), onType: type }}
      rows={found.map((person) => ({
        id: person.id,
        name: person.name,
        about: (
          <>
            <bdi>{person.role}</bdi> · {person.id}
            {!person.active && ` · ${t('personInactive')}`}
          </>
        ),
        isChosen: isChosen(person),
        onToggle: () => (isChosen(person) ? remove(person) : onChange([...chosen, person])),
      }))}
      nothing={t('nothingFound')}
    >
      {chosen.length > 0 && (
        <Pill.Group mb="xs" mah={132} style={{ overflowY: 'auto' }}>
          {chosen.map((person) => (
            <Pill
              key={person.id}
              size="lg"
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('removePerson', { name: person.name }), tabIndex: 0 }}
              onRemove={() => remove(person)}
            >
              <bdi>{person.name}</bdi>
              {!person.active && ` (${t('personInactive')})`}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </ChoiceRows>
  );
}

type Search = { words: string; hint: string; onType: (words: string) => void };
type Row = { id: string | number; name: string; about: ReactNode; isChosen: boolean; onToggle: () => void };

type RowsProps = { label: string; error?: string; search?: Search; rows: Row[]; nothing: string; children?: ReactNode };

function ChoiceRows({ label, error, search, rows, nothing, children }: RowsProps) {
  const id = useId();
  return (
    <Input.Wrapper label={label} error={error} required labelElement="div" labelProps={{ id }}>
      {children}
      {search && (
        <TextInput
          type="search"
          value={search.words}
          placeholder={search.hint}
          aria-label={search.hint}
          mb="xs"
          onChange={({ currentTarget }) => search.onType(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
          }}
        />
      )}
      <fieldset className="choice-rows" aria-labelledby={id}>
        {rows.map((row) => (
          <Checkbox
            key={row.id}
            className="choice-row"
            checked={row.isChosen}
            label={
              <>
                <bdi className="wrapping">{row.name}</bdi>
                <Text component="span" size="sm" c="dimmed">
                  {row.about}
                </Text>
              </>
            }
            onChange={row.onToggle}
          />
        ))}
        {rows.length === 0 && <Text p="sm">{nothing}</Text>}
      </fieldset>
    </Input.Wrapper>
  );
}
