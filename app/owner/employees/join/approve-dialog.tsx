'use client';

import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { RoleList } from '#app/owner/employees/employee-form.tsx';
import { approveJoinRequestsAction } from '#app/owner/employees/join/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { JoinRequest } from '#server/employees/join-requests.ts';

const asKey = (role: string) => role.trim().toLowerCase();
const maxNames = 4;

const nameAll = (people: JoinRequest[]) => {
  const names = people.slice(0, maxNames).map(({ name }) => name);
  const more = people.length - names.length;
  return more > 0 ? `${names.join(', ')} +${more}` : names.join(', ');
};

type Props = {
  chosen: JoinRequest[];
  roles: string[];
  onClose: () => void;
  onDone: (result: { count: number }) => void;
};

/**
 * Approves several requests to join. People wrote their jobs in their own words, so there is a field
 * for each job that somebody wrote, with the role that these people get, or one for each person.
 * `roles` are suggested; one that was written in other letters is filled in.
 */
export function ApproveDialog({ chosen, roles, onClose, onDone }: Props) {
  const t = useTranslations('joins');
  const form = useTranslations('form');
  const list = useId();
  const [changed, setChanged] = useState<ReadonlyMap<number, string>>(new Map());
  const [isEach, setIsEach] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const { run, pending, problems, dialog } = useReauthenticatedAction(approveJoinRequestsAction, onDone);
  const odd = chosen.filter(({ namesake, twice }) => namesake ?? twice).length;
  const known = new Map(roles.map((role) => [asKey(role), role]));
  const roleOf = ({ id, role }: JoinRequest) => changed.get(id) ?? known.get(asKey(role)) ?? role;
  const jobs = [...new Set(chosen.map(({ role }) => asKey(role)))];
  // The oldest browsers lack `Map.groupBy`.
  const groups = isEach
    ? chosen.map((person) => [person])
    : jobs.map((job) => chosen.filter(({ role }) => asKey(role) === job));
  const approve = () => {
    const approvals = chosen.map((person) => ({ id: person.id, name: person.name, role: roleOf(person) }));
    setIsChecked(true);
    if (approvals.every(({ role }) => role.trim() !== '')) void run({ approvals });
  };
  return (
    <>
      <ConfirmDialog
        title={t('approveTitle', { count: chosen.length })}
        submit={t('approve')}
        problem={problems.form ?? problems.approvals}
        pending={pending}
        onClose={onClose}
        onConfirm={approve}
      >
        <Text>{t('approveText')}</Text>
        {odd > 0 && <Alert color="yellow">{t('approveNamesakes', { count: odd })}</Alert>}
        <RoleList id={list} roles={roles} />
        {groups.map((people) => {
          const [first] = people;
          if (!first) return null;
          return (
            <TextInput
              key={first.id}
              list={list}
              autoComplete="off"
              maxLength={60}
              label={
                <bdi>{people.length === 1 ? first.name : t('roleOf', { role: first.role, count: people.length })}</bdi>
              }
              description={people.length > 1 && <bdi>{nameAll(people)}</bdi>}
              value={roleOf(first)}
              error={isChecked && roleOf(first).trim() === '' && form('required')}
              onChange={({ currentTarget: { value } }) =>
                setChanged(new Map([...changed, ...people.map(({ id }) => [id, value] as const)]))
              }
            />
          );
        })}
        {groups.length < chosen.length && (
          <div>
            <Button variant="subtle" onClick={() => setIsEach(true)}>
              {t('eachRole')}
            </Button>
          </div>
        )}
      </ConfirmDialog>
      {dialog}
    </>
  );
}
