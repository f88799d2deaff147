'use client';

import { Group, NativeSelect, Text } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { createJoinLinkAction, showJoinLinkAction } from '#app/owner/employees/actions.ts';
import { Poster } from '#app/owner/employees/paper/paper.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { DialogButton, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { LinkDialog } from '#app/ui/sessions/link-dialog.tsx';
import { joinLinkDays, joinLinkSizes, maxJoinLinks } from '#server/employees/join-terms.ts';

const RoleField = whenNeeded(() => import('#app/owner/employees/role-field.tsx'), 'RoleField', { height: 92 });

/** The button that makes a join link: asks for its terms, then shows the link, to send or as a poster. */
export function MakeLink({ roles }: { roles: string[] }) {
  const t = useTranslations('joins');
  const { company } = use(Company);
  const make = ({ role = '', ...fields }: Record<string, string>) => {
    const days = joinLinkDays.find((choice) => String(choice) === fields.days) ?? 7;
    const maxRequests = joinLinkSizes.find((choice) => String(choice) === fields.size) ?? 50;
    return createJoinLinkAction({ role: role.trim() || null, days, maxRequests });
  };
  return (
    <DialogButton icon={QrCode} text={t('make')}>
      {(onClose) => (
        <FormDialog
          title={(made) => t(made ? 'madeTitle' : 'makeTitle')}
          submit={t('make')}
          action={make}
          sentences={{ tooManyLinks: t('tooMany', { most: maxJoinLinks }) }}
          onClose={onClose}
          result={({ link }) => (
            <>
              <Text>{t('madeText')}</Text>
              <Poster link={link} />
              <LinkToHandOver
                label={t('link')}
                link={link}
                message={t('message', { company, link })}
                qrLabel={t('qr', { company })}
                onClose={onClose}
              />
            </>
          )}
        >
          <RoleField roles={roles} label={t('role')} description={t('roleHint')} data-autofocus />
          <Group grow align="flex-end">
            <NativeSelect
              name="days"
              label={t('days')}
              defaultValue={7}
              data={joinLinkDays.map((days) => ({ value: String(days), label: t('daysChoice', { days }) }))}
            />
            <NativeSelect
              name="size"
              label={t('size')}
              defaultValue={50}
              data={joinLinkSizes.map((count) => ({ value: String(count), label: t('sizeChoice', { count }) }))}
            />
          </Group>
        </FormDialog>
      )}
    </DialogButton>
  );
}

/** The button that opens a join link again, with its poster. `role` is its name. */
export function OpenLink({ id, role }: { id: number; role: string }) {
  const t = useTranslations('joins');
  const { company } = use(Company);
  const form = useTranslations('form');
  return (
    <DialogButton variant="default" icon={QrCode} text={form('openLink')} aria-label={t('openNamed', { role })}>
      {(close) => (
        <LinkDialog
          id={id}
          action={showJoinLinkAction}
          sentences={{ 'no-such-link': t('gone'), 'not-shown': t('notShown') }}
          title={t('openNamed', { role })}
          text={() => t('madeText')}
          isImmediate
          label={t('link')}
          messageWith={(link) => t('message', { company, link })}
          qrLabel={t('qr', { company })}
          above={(link) => <Poster link={link} />}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
