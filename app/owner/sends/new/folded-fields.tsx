import '#app/ui/forms/controls.css';
import { Alert, Chip, Group, Paper, SimpleGrid, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, use, useState } from 'react';
import { type FormDraft, recipientKinds } from '#app/owner/sends/new/form-draft.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { FormProblems } from '#app/ui/forms/form-values.ts';
import { asAnswers, countCharacters, maxAnswerLength, maxAnswers } from '#server/notifications/field-rules.ts';
import type { RoleCount } from '#server/sends/manual/possible-recipients.ts';

type FoldProps = { label: string; summary: ReactNode; detail?: string; opened?: boolean; children: ReactNode };

/** A line that says what is chosen and opens its fields in place. `opened` opens them, and keeps them open. */
export function Fold({ label, summary, detail, opened = false, children }: FoldProps) {
  const [isShown, setShown] = useState(opened);
  if (opened && !isShown) setShown(true);
  const Chevron = isShown ? ChevronUp : ChevronDown;
  return (
    <Paper withBorder style={{ borderColor: 'var(--line-strong)' }}>
      <Group
        component={UnstyledButton}
        gap={8}
        w="100%"
        mih={44}
        px={12}
        wrap="nowrap"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text size="sm" fw={600} lh={1.4} lineClamp={2} miw="min-content">
          {summary}
        </Text>
        <Text size="sm" c="dimmed" flex="1 1 auto">
          {detail}
        </Text>
        <Chevron style={{ flexShrink: 0 }} />
      </Group>
      {isShown && (
        <Stack gap="sm" p="xs" pt={4}>
          {children}
        </Stack>
      )}
    </Paper>
  );
}

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

type RecipientProps = {
  draft: FormDraft;
  active: number;
  roles: RoleCount[];
  onChange: (changes: Partial<FormDraft>) => void;
};

/** One line that says who receives it, and opens the choice. */
export function RecipientFields({ draft, active, roles, onChange }: RecipientProps) {
  const t = useTranslations('compose');
  const { to, recipient } = draft;
  const problem = use(FormProblems).recipientId;
  const reached = countReached(draft, active, roles);
  const names = peopleOf(draft).map(({ name }) => name);
  const chosen = { everyone: [], roles: draft.roles, one: names, people: names }[to].join(', ');
  // A role that nobody has any more stays visible, so that it can be removed.
  const gone = draft.roles.filter((role) => !roles.some((count) => count.role === role));
  const counted = roles.map(({ role, active, inactive }) => {
    const count = inactive > 0 ? t('roleCounts', { active, inactive }) : t('roleCount', { active });
    return { value: role, label: `${role} · ${count}` };
  });
  const choices = [...gone, ...counted];
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
        {to === 'one' && <PersonSelect initial={recipient} onChoose={(person) => onChange({ recipient: person })} />}
        {to === 'roles' && (
          <RoleSelect data={choices} value={draft.roles} onChange={(names) => onChange({ roles: names })} />
        )}
        {to === 'people' && <PeopleSelect chosen={draft.people} onChoose={(people) => onChange({ people })} />}
        {(to === 'roles' || to === 'people') && reached.active > 0 && (
          <Text size="sm" fw={600} role="status">
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

const places = Array.from({ length: maxAnswers }, (_, place) => place);
// Own answers fill all fields, so that typing a ready pair does not close them.
const asFields = (answers: string[]) => places.map((place) => answers[place] ?? '');

type AnswerProps = { answers: string[]; onChange: (changes: Partial<FormDraft>) => void };

/** One line that says for which answers the message asks, and opens the choice: ready ones, or own ones. */
export function AnswerFields({ answers, onChange }: AnswerProps) {
  const t = useTranslations('compose');
  const problem = use(FormProblems).answers;
  const ready = [t('ready.can'), t('ready.yes'), t('ready.present')];
  const words = (value: string) => (value === 'none' || value === 'own' ? t(`ask_${value}`) : value);
  const pair = ready.find((pair) => pair === answers.join(' / '));
  const chosen = answers.length === 0 ? 'none' : (pair ?? 'own');
  const [own, setOwn] = useState<string[]>();
  const long = places.filter((place) => countCharacters((answers[place] ?? '').trim()) > maxAnswerLength);
  const choose = (value: string | string[]) => {
    if (chosen === 'own') setOwn(answers);
    if (value === 'none') onChange({ answers: [] });
    else onChange({ answers: value === 'own' ? (own ?? asFields(answers)) : String(value).split(' / ') });
  };
  const summary = asAnswers(answers).join(' / ') || words(chosen);
  return (
    <Fold label={t('ask')} summary={<bdi>{summary}</bdi>} opened={problem !== undefined}>
      <Chip.Group value={chosen} onChange={choose}>
        <Group gap={6} role="radiogroup" aria-label={t('ask')}>
          {['none', ...ready, 'own'].map((value) => (
            <Chip key={value} value={value}>
              {words(value)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {chosen === 'own' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {places.map((place) => (
            <TextInput
              key={place}
              label={t('answerField', { place: place + 1 })}
              value={answers[place] ?? ''}
              error={(long.length > 0 ? long.includes(place) : place === 0) && problem}
              required={place < 2}
              onChange={({ currentTarget }) =>
                onChange({ answers: asFields(answers).with(place, currentTarget.value) })
              }
            />
          ))}
        </SimpleGrid>
      )}
      <Text className="fine-print">{t('askHint')}</Text>
    </Fold>
  );
}
