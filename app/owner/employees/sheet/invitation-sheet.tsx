'use client';

import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { makeSheetAction } from '#app/owner/employees/sheet/actions.ts';
import { type Card, InvitationCards } from '#app/owner/employees/sheet/invitation-cards.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** Chooses people, asks, makes their links, and shows them as cards to print. `children` are the filters of the choice. */
export function InvitationSheet({
  people,
  count,
  company,
  children,
}: {
  people: EmployeeSummary[];
  count: number;
  company: string;
  children: ReactNode;
}) {
  const t = useTranslations('sheet');
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [asking, setAsking] = useState(false);
  const [cards, setCards] = useState<Card[]>();
  const made = (cards: Card[]) => {
    setAsking(false);
    setCards(cards);
  };
  const { run, pending, problems, dialog } = useProvedAction(makeSheetAction, made);
  if (cards) return <InvitationCards cards={cards} company={company} />;
  const chosen = people.filter(({ id }) => !left.has(id));
  return (
    <>
      {children}
      {people.length > 0 && (
        <>
          <Choice people={people} left={left} onChange={setLeft} />
          <Text my="sm" role="status">
            {t('chosen', { chosen: chosen.length, count })}
          </Text>
          <Button disabled={chosen.length === 0} onClick={() => setAsking(true)}>
            {t('make', { count: chosen.length })}
          </Button>
        </>
      )}
      {asking && (
        <Dialog onClose={() => setAsking(false)} title={t('askTitle', { count: chosen.length })}>
          <Asking chosen={chosen} problem={problems.form} pending={pending} onCancel={() => setAsking(false)}>
            <Button loading={pending} onClick={() => void run(chosen.map(({ id }) => id))}>
              {t('make', { count: chosen.length })}
            </Button>
          </Asking>
        </Dialog>
      )}
      {dialog}
    </>
  );
}

function Choice({
  people,
  left,
  onChange,
}: {
  people: EmployeeSummary[];
  left: ReadonlySet<number>;
  onChange: (left: ReadonlySet<number>) => void;
}) {
  const t = useTranslations('sheet');
  const employees = useTranslations('employees');
  const toggle = (id: number) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  const stateOf = ({ username, invitedUntil }: EmployeeSummary) =>
    username ? t('hasAccount') : invitedUntil ? employees('accounts.invited') : null;
  return (
    <fieldset className="choice">
      <legend>{t('who')}</legend>
      <Checkbox
        label={t('everybody')}
        checked={left.size === 0}
        indeterminate={left.size > 0 && left.size < people.length}
        onChange={() => onChange(left.size === 0 ? new Set(people.map(({ id }) => id)) : new Set())}
      />
      <div className="choices">
        {people.map((person) => (
          <Checkbox
            key={person.id}
            label={
              <span>
                <bdi>{person.name}</bdi> · <bdi>{person.role}</bdi>
                <Text span display="block" size="xs" c="dimmed">
                  {stateOf(person)}
                </Text>
              </span>
            }
            checked={!left.has(person.id)}
            onChange={() => toggle(person.id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Asking({
  chosen,
  problem,
  pending,
  onCancel,
  children,
}: {
  chosen: EmployeeSummary[];
  problem: string | undefined;
  pending: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const t = useTranslations('sheet');
  const form = useTranslations('form');
  const ending = chosen.filter(({ invitedUntil }) => invitedUntil !== null).length;
  const withAccount = chosen.filter(({ username }) => username !== null).length;
  return (
    <Stack>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Text>{t('askText')}</Text>
      {ending > 0 && <Alert color="yellow">{t('askEnding', { count: ending })}</Alert>}
      {withAccount > 0 && <Text>{t('askAccounts', { count: withAccount })}</Text>}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} disabled={pending} data-autofocus>
          {form('cancel')}
        </Button>
        {children}
      </Group>
    </Stack>
  );
}
