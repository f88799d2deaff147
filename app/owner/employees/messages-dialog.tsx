import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { Check } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use, useState } from 'react';
import { createInvitationsAction, remindToOpenAction } from '#app/owner/employees/actions.ts';
import { InvitationCards } from '#app/owner/employees/paper/paper.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { ShareButton } from '#app/ui/forms/link-to-hand-over.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Kind = 'invite' | 'remind';
type Person = { employeeId: number; name: string; role?: string; username: string | null; link: string };

const actions: Record<Kind, (ids: number[]) => Promise<Result<Person[]>>> = {
  invite: createInvitationsAction,
  remind: remindToOpenAction,
};

type Props = { kind: Kind; people: EmployeeSummary[]; onCancel: () => void; onDone: () => void };

/** Makes invitations, or reminders to open the portal. Shows them once: to send one by one, to copy, to print. */
export function MessagesDialog({ kind, people, onCancel, onDone }: Props) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const ending = people.filter(({ invitedUntil, username }) => username === null && invitedUntil !== null).length;
  return (
    <FormDialog
      title={(made) => t(`messages.${kind}.title`, { count: (made ?? people).length })}
      submit={t(`messages.${kind}.make`, { count: people.length })}
      action={() => actions[kind](people.map(({ id }) => id))}
      onDone={onDone}
      onClose={onCancel}
      result={(made, close) => (
        <>
          <Text>{t(kind === 'remind' && made.length === 0 ? 'remindNobody' : `messages.${kind}.once`)}</Text>
          {made.length > 0 && <MessagesToSend kind={kind} people={made} />}
          {kind === 'invite' && <InvitationCards people={made} />}
          <Group justify="flex-end">
            {kind === 'invite' && <PrintButton text={t('bulkPrint')} />}
            <Button variant="default" onClick={close}>
              {form('close')}
            </Button>
          </Group>
        </>
      )}
    >
      <Text>{t(`messages.${kind}.text`)}</Text>
      {ending > 0 && <Alert color="yellow">{t('bulkInviteEnding', { count: ending })}</Alert>}
    </FormDialog>
  );
}

// One button walks from person to person; each row has its own as well.
function MessagesToSend({ kind, people }: { kind: Kind; people: Person[] }) {
  const t = useTranslations('employees');
  const { company } = use(Company);
  const [opened, setOpened] = useState<number[]>([]);
  const messages = people.map(({ employeeId, name, username, link }) => {
    // A reminder for a person with an account has no link of their own.
    const isKnown = kind === 'remind' && username !== null;
    const message = isKnown
      ? t('remindAccountMessage', { name, company, link, username })
      : t(`${kind}Message`, { name, company, link });
    return { employeeId, name, link, message, shortText: isKnown ? username : link };
  });
  const open = (id: number) => setOpened((were) => [...new Set([...were, id])]);
  const next = messages.find(({ employeeId }) => !opened.includes(employeeId));
  return (
    <>
      {next ? (
        // The browser follows the link after the click: it would open the message of the next person.
        <ShareButton variant="filled" message={next.message} onClick={() => setTimeout(open, 0, next.employeeId)}>
          {t('messages.walk', { name: next.name, position: opened.length + 1, count: messages.length })}
        </ShareButton>
      ) : (
        <Text role="status">{t('messages.walked')}</Text>
      )}
      <Box component="ul" className="plain-list divided" mah="40dvh" style={{ overflowY: 'auto' }}>
        {messages.map(({ employeeId, name, message, shortText }) => (
          <li key={employeeId} data-invited={employeeId}>
            <Box component="span" miw={0}>
              <bdi>{name}</bdi>
              <span className="list-sub">{shortText}</span>
            </Box>
            <ShareButton
              flex="none"
              message={message}
              aria-label={t(`messages.${kind}.share`, { name })}
              onClick={() => open(employeeId)}
              {...(opened.includes(employeeId) && { leftSection: <Check aria-label={t('messages.opened')} /> })}
            >
              WhatsApp
            </ShareButton>
          </li>
        ))}
      </Box>
      <CopyField
        label={t('bulkAllLinks')}
        value={messages.map(({ name, link, message }) => (kind === 'invite' ? `${name}: ${link}` : message)).join('\n')}
        copyLabel={t('bulkCopyAll')}
      />
    </>
  );
}
