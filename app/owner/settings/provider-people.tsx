import { Card, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Fragment } from 'react';
import { remindToConnectAction } from '#app/owner/settings/actions.ts';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import { listReadiness, listUnconnected } from '#server/accounts/sign-in/only-provider.ts';
import type { Owner } from '#server/principals.ts';

const fewNames = 10;
const allNames = 1000;

type Props = { owner: Owner; issuer: string; isWhole: boolean };

/** Who has connected a provider, and what becomes of the others where it is required; by name, at first a few. */
export async function ProviderPeople({ owner, issuer, isWhole }: Props) {
  const provider = nameOfIssuer(issuer);
  const [t, groups] = await Promise.all([
    getTranslations('identities.people'),
    listReadiness(owner, issuer, isWhole ? allNames : fewNames),
  ]);
  const count = listUnconnected(groups).length;
  return (
    <Stack gap="sm">
      {groups.map(({ readiness, count, people }) => (
        <div key={readiness} data-readiness={readiness}>
          <Text fw={600}>{t(readiness, { count })}</Text>
          <Text size="sm" className="wrapping">
            {people.map(({ key, name, employeeId }, place) => (
              <Fragment key={key}>
                {place > 0 && ', '}
                {employeeId === null ? <bdi>{name}</bdi> : inText(`/owner/employees/${employeeId}`, name)}
              </Fragment>
            ))}
            {people.length < count && ' '}
            {people.length < count &&
              inText('/owner/settings/access?people=all#provider', t('more', { count: count - people.length }))}
          </Text>
          <Text className="fine-print">{t(`${readiness}Text`, { provider })}</Text>
        </div>
      ))}
      {count > 0 && (
        <SavedForm
          action={remindToConnectAction}
          submit={t('remind', { count })}
          isMinor
          saved={t('reminded')}
          sentences={{ 'nobody-left': t('nobodyLeft') }}
        >
          <input type="hidden" name="issuer" value={issuer} />
          <Text size="sm">{t('remindText')}</Text>
          <Card withBorder padding="sm">
            <Text fw={600}>{t('reminderTitle', { provider })}</Text>
            <Text size="sm">{t('reminderBody', { provider })}</Text>
          </Card>
        </SavedForm>
      )}
    </Stack>
  );
}

const inText = (href: string, text: string) => (
  <TextLink href={href} inherit display="inline" underline="always" py={0}>
    <bdi>{text}</bdi>
  </TextLink>
);
