import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { createInvitationsAction, remindToOpenAction } from '#app/owner/employees/actions.ts';
import { InvitationCards } from '#app/owner/employees/paper/paper.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { ShareButton } from '#app/ui/forms/link-to-hand-over.tsx';
import type { LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

// A text for one person. `shortText` stands below the name, `copied` in the text for all.
type PersonalMessage = { shortText: string; copied: string; message: string };
type Person = { employeeId: number; name: string; role?: string; username: string | null; link: string };
type Props = { people: EmployeeSummary[]; company: string; onCancel: () => void; onDone: () => void };

/** Makes invitation links for people, and shows them once, to send or to print. */
export function BulkInviteDialog({ logo, ...props }: Props & { logo: LogoPicture | null }) {
  const t = useTranslations('employees');
  return (
    <MessagesDialog
      {...props}
      action={createInvitationsAction}
      title={(count) => t('bulkInviteTitle', { count })}
      text={(count) => t(count === undefined ? 'bulkInviteText' : 'bulkInviteOnce')}
      submit={t('bulkMakeLinks', { count: props.people.length })}
      messageFor={({ name, link }) => ({
        shortText: link,
        copied: `${name}: ${link}`,
        message: t('inviteMessage', { name, company: props.company, link }),
      })}
      shareLabel={(name) => t('bulkShare', { name })}
      paper={(people) => <InvitationCards people={people} company={props.company} logo={logo} />}
    />
  );
}

/** Prepares reminders for people who never opened the portal, and shows them once. */
export function RemindDialog(props: Props) {
  const t = useTranslations('employees');
  const { company } = props;
  const messageFor = ({ name, username, link }: Person) => {
    const message =
      username === null
        ? t('remindMessage', { name, company, link })
        : t('remindAccountMessage', { name, company, link, username });
    return { shortText: username ?? link, copied: message, message };
  };
  return (
    <MessagesDialog
      {...props}
      action={remindToOpenAction}
      title={(count) => t('remindTitle', { count })}
      text={(count) => t(count === undefined ? 'remindText' : count > 0 ? 'remindOnce' : 'remindNobody')}
      submit={t('remindMake', { count: props.people.length })}
      messageFor={messageFor}
      shareLabel={(name) => t('remindShare', { name })}
    />
  );
}

type MessagesProps = Props & {
  action: (ids: number[]) => Promise<Result<Person[]>>;
  title: (count: number) => string;
  text: (made?: number) => string;
  submit: string;
  messageFor: (person: Person) => PersonalMessage;
  shareLabel: (name: string) => string;
  paper?: (people: Person[]) => ReactNode;
};

// Makes messages for people, and shows them once: with one WhatsApp button for each person, and all
// of them to copy, and to print where there is a `paper`. `text` gets the number of those that were made.
function MessagesDialog({ people, action, title, text, submit, onCancel, onDone, paper, ...messages }: MessagesProps) {
  const t = useTranslations();
  const ending = people.filter(({ invitedUntil, username }) => username === null && invitedUntil !== null).length;
  return (
    <FormDialog
      title={(made) => title((made ?? people).length)}
      submit={submit}
      action={() => action(people.map(({ id }) => id))}
      onDone={onDone}
      onClose={onCancel}
      result={(made, close) => (
        <>
          <Text>{text(made.length)}</Text>
          {made.length > 0 && <MessagesToSend people={made} {...messages} />}
          {paper?.(made)}
          <Group justify="flex-end">
            {paper && <PrintButton text={t('employees.bulkPrint')} />}
            <Button variant="default" onClick={close}>
              {t('form.close')}
            </Button>
          </Group>
        </>
      )}
    >
      <Text>{text()}</Text>
      {ending > 0 && <Alert color="yellow">{t('employees.bulkInviteEnding', { count: ending })}</Alert>}
    </FormDialog>
  );
}

type ToSendProps = Pick<MessagesProps, 'messageFor' | 'shareLabel'> & { people: Person[] };

function MessagesToSend({ people, messageFor, shareLabel }: ToSendProps) {
  const t = useTranslations('employees');
  return (
    <>
      <Box component="ul" className="plain-list divided" mah="40dvh" style={{ overflowY: 'auto' }}>
        {people.map((person) => (
          <li key={person.employeeId} data-invited={person.employeeId}>
            <Box component="span" miw={0}>
              <bdi>{person.name}</bdi>
              <span className="list-sub">{messageFor(person).shortText}</span>
            </Box>
            <ShareButton message={messageFor(person).message} aria-label={shareLabel(person.name)}>
              WhatsApp
            </ShareButton>
          </li>
        ))}
      </Box>
      <CopyField
        label={t('bulkAllLinks')}
        value={people.map((person) => messageFor(person).copied).join('\n')}
        copyLabel={t('bulkCopyAll')}
      />
    </>
  );
}
