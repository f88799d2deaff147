'use client';

import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import { Check, type LucideIcon, UserRoundCheck, UserRoundX, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { approveJoinRequestsAction, declineJoinRequestsAction } from '#app/owner/employees/actions.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { DoneLine } from '#app/ui/frame/status-line.tsx';
import { Cell, ListRow, ListTable, Note } from '#app/ui/lists/list-table.tsx';
import { BulkBar, PickAll, PickPerson, useSelection } from '#app/ui/lists/selection.tsx';
import { ActionDialog, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { TimeOf } from '#app/ui/text/timestamp.tsx';
import type { JoinRequest } from '#server/employees/join-requests.ts';

const RoleField = whenNeeded(() => import('#app/owner/employees/role-field.tsx'), 'RoleField', { height: 92 });

type Asking = { what: 'approve' | 'decline'; people: JoinRequest[] };
type Done = { what: 'approved' | 'declined'; count: number };

// So many requests from one address: a workplace, or somebody who uses up a link with false requests.
const minCrowd = 10;

// The oldest browsers lack `Map.groupBy`.
const groupBy = <Item,>(items: Item[], keyOf: (item: Item) => string | number): Item[][] =>
  [...new Set(items.map(keyOf))].map((key) => items.filter((item) => keyOf(item) === key));

/** The open requests to join, to look at one by one or to decide several at once. */
export function JoinRequests({ requests, roles }: { requests: JoinRequest[]; roles: string[] }) {
  const t = useTranslations('joins');
  const router = useRouter();
  const selection = useSelection(requests.map(({ id }) => id));
  const [asking, setAsking] = useState<Asking>();
  const [done, setDone] = useState<Done>();
  const chosen = requests.filter(({ id }) => selection.isChosen(id));
  const askChosen = (what: Asking['what']) => setAsking({ what, people: chosen });
  const close = () => setAsking(undefined);
  const forget = () => setDone(undefined);
  const finish = (what: Done['what']) => (result: { count: number }) => {
    close();
    setDone({ what, count: result.count });
    selection.clear();
    router.refresh();
  };
  const [crowd = []] = groupBy(requests, ({ network }) => network).sort((one, other) => other.length - one.length);
  const DoneIcon = done?.what === 'approved' ? UserRoundCheck : UserRoundX;
  const pickAll = <PickAll label={t('chooseAll')} selection={selection} count={requests.length} />;
  const columns = [
    { name: t('choose'), width: '5.75rem', head: pickAll },
    { name: t('requests'), width: 'minmax(0, 2fr)' },
    { name: t('asked'), width: '8.25rem' },
    { name: t('attention'), width: 'minmax(0, 2fr)', quiet: !requests.some(isOdd) },
    { name: t('decision'), width: '15rem', quiet: true },
  ];
  return (
    <div data-choosing>
      {crowd.length >= minCrowd && (
        <Alert color="yellow" mb="sm" data-crowd={crowd.length}>
          <Stack gap="xs" align="flex-start">
            {t('crowd', { count: crowd.length })}
            <Button variant="default" onClick={() => selection.choose(crowd.map(({ id }) => id))}>
              {t('chooseCrowd', { count: crowd.length })}
            </Button>
          </Stack>
        </Alert>
      )}
      <Button variant="transparent" hiddenFrom="sm" px={0} mt={-10} mb={-4} onClick={selection.toggleAll}>
        {t('chooseAll')}
      </Button>
      <ListTable label={t('requests')} columns={columns}>
        {requests.map((request) => {
          const { id, name, role, namesake } = request;
          const known = namesake && t(namesake.active ? 'namesake' : 'namesakeInactive', { role: namesake.role });
          const note = known ?? (request.twice && t('twice'));
          const ask = (what: Asking['what']) => setAsking({ what, people: [request] });
          return (
            <ListRow key={id} data-request={id} chosen={selection.isChosen(id)}>
              <PickPerson label={t('chooseNamed', { name })} selection={selection} id={id} name={name} />
              <Cell at="main">
                <button
                  type="button"
                  className="row-link repeat-toggle"
                  aria-label={t('lookNamed', { name })}
                  onClick={() => ask('approve')}
                >
                  <bdi>{name}</bdi>
                </button>
                <span className="mantine-visible-from-sm">
                  <bdi className="list-sub">{role}</bdi>
                </span>
              </Cell>
              <Cell at="second">
                <span>
                  <span className="mantine-hidden-from-sm">
                    <bdi>{role}</bdi> ·{' '}
                  </span>
                  <TimeOf what={t('asked')} at={request.createdAt} inColumn />
                </span>
              </Cell>
              <Cell at="note">{note && <Note tone="attention">{note}</Note>}</Cell>
              <Cell at="menu">
                <Group gap={0} wrap="nowrap" justify="flex-end">
                  <RowButton icon={Check} text={t('approve')} name={name} onPress={() => ask('approve')} />
                  <RowButton icon={X} text={t('decline')} name={name} onPress={() => ask('decline')} />
                </Group>
              </Cell>
            </ListRow>
          );
        })}
      </ListTable>
      <BulkBar selection={selection}>
        <Button leftSection={<UserRoundCheck />} onClick={() => askChosen('approve')}>
          {t('approveCount', { count: chosen.length })}
        </Button>
        <Button variant="default" leftSection={<UserRoundX />} onClick={() => askChosen('decline')}>
          {t('decline')}
        </Button>
      </BulkBar>
      {asking?.what === 'approve' && (
        <ApproveDialog people={asking.people} roles={roles} onClose={close} onDone={finish('approved')} />
      )}
      {asking?.what === 'decline' && (
        <ActionDialog
          action={declineJoinRequestsAction}
          input={{ ids: asking.people.map(({ id }) => id) }}
          title={t('declineTitle', { count: asking.people.length })}
          submit={t('decline')}
          isDestructive
          onClose={close}
          onDone={finish('declined')}
          text={t('declineText')}
        />
      )}
      <div role="status">
        {done && <DoneLine icon={<DoneIcon size={20} />} text={t(done.what, { count: done.count })} onClose={forget} />}
      </div>
    </div>
  );
}

const isOdd = ({ namesake, twice }: JoinRequest) => namesake !== null || twice;

type RowButtonProps = { icon: LucideIcon; text: string; name: string; onPress: () => void };

const RowButton = ({ icon: Icon, text, name, onPress }: RowButtonProps) => (
  <Button variant="subtle" px={12} aria-label={`${text}: ${name}`} title={text} onClick={onPress}>
    <Icon />
    <Box component="span" ms={8} visibleFrom="sm">
      {text}
    </Box>
  </Button>
);

const asKey = (role: string) => role.trim().toLowerCase();

const nameAll = (people: JoinRequest[]) => {
  const names = people.slice(0, 4).map(({ name }) => name);
  const more = people.length - names.length;
  return more > 0 ? `${names.join(', ')} +${more}` : names.join(', ');
};

type Approved = { count: number };
type ApproveProps = { people: JoinRequest[]; roles: string[]; onClose: () => void; onDone: (done: Approved) => void };

// Approves requests. Each job that somebody wrote has a field for the role that its people get. `roles` are suggested;
// one that was written in other letters is filled in. A single name can be corrected.
function ApproveDialog({ people, roles, onClose, onDone }: ApproveProps) {
  const t = useTranslations('joins');
  const employees = useTranslations('employees');
  const [changed, setChanged] = useState<ReadonlyMap<number, string>>(new Map());
  const single = people.length === 1 ? people[0] : undefined;
  const odd = people.filter(isOdd).length;
  const known = new Map(roles.map((role) => [asKey(role), role]));
  const roleOf = ({ id, role }: JoinRequest) => changed.get(id) ?? known.get(asKey(role)) ?? role;
  const groups = groupBy(people, ({ role }) => asKey(role));
  const fieldOf = ({ id }: JoinRequest) => `role ${id}`;
  const approve = async ({ name = '' }: Record<string, string>) => {
    const approvals = people.map((one) => ({ id: one.id, name: single ? name : one.name, role: roleOf(one) }));
    const missing = people
      .filter((person) => roleOf(person).trim() === '')
      .map((person) => [fieldOf(person), 'required']);
    if (single && name.trim() === '') missing.push(['name', 'required']);
    if (missing.length > 0) return { problems: Object.fromEntries(missing) };
    const result = await approveJoinRequestsAction({ approvals });
    const problem = 'problems' in result && result.problems.approvals;
    return problem ? { problems: { form: problem } } : result;
  };
  return (
    <FormDialog
      title={<bdi>{single ? t('lookNamed', { name: single.name }) : t('approveTitle', { count: people.length })}</bdi>}
      submit={t('approve')}
      isQuestion
      action={approve}
      sentences={{ gone: t('decided') }}
      onDone={onDone}
      onClose={onClose}
    >
      {!single && <Text>{t('approveText')}</Text>}
      {!single && odd > 0 && <Alert color="yellow">{t('approveNamesakes', { count: odd })}</Alert>}
      {single?.namesake && (
        <Alert color="yellow">
          {t('namesakeText', { role: single.namesake.role })}{' '}
          <TextLink href={`/owner/employees/${single.namesake.employeeId}`}>{t('seeNamesake')}</TextLink>
        </Alert>
      )}
      {single && (
        <TextField name="name" label={employees('name')} maxLength={120} defaultValue={single.name} required={false} />
      )}
      {groups.map((group) => {
        const [first] = group;
        if (!first) return null;
        const label = group.length === 1 ? first.name : t('roleOf', { role: first.role, count: group.length });
        return (
          <RoleField
            key={first.id}
            roles={roles}
            label={<bdi>{single ? employees('role') : label}</bdi>}
            description={group.length > 1 && <bdi>{nameAll(group)}</bdi>}
            name={fieldOf(first)}
            value={roleOf(first)}
            onChange={(value) => setChanged(new Map([...changed, ...group.map(({ id }) => [id, value] as const)]))}
          />
        );
      })}
    </FormDialog>
  );
}
