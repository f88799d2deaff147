import '#app/ui/forms/controls.css';
import { Checkbox, Group, Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { chooseMustConfirmKindsAction } from '#app/owner/sends/actions.ts';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findMustConfirmKinds } from '#server/companies/companies.ts';
import { kinds } from '#server/notifications/kinds.ts';

export const generateMetadata = titled('mustRead', 'title');

export default async function MustReadRules() {
  const owner = await requireOwner('/owner/sends/rules');
  const chosen = await findMustConfirmKinds(owner);
  const [t, names] = await Promise.all([getTranslations('mustRead'), getTranslations('inbox.kind')]);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Stack>
        <Section id="kinds" title={t('kinds')} lead={t('kindsLead')}>
          <SavedForm action={chooseMustConfirmKindsAction} saved={t('saved')}>
            <Stack gap={0} component="fieldset" bd={0} p={0} m={0} aria-labelledby="kinds-title" className="tall">
              {kinds.map((kind) => (
                <Checkbox
                  key={kind}
                  name={kind}
                  defaultChecked={chosen.includes(kind)}
                  label={
                    <Group component="span" gap={8} wrap="nowrap" mih={44}>
                      <KindIcon kind={kind} />
                      {names(kind)}
                    </Group>
                  }
                  styles={{ body: { alignItems: 'center' } }}
                />
              ))}
            </Stack>
          </SavedForm>
        </Section>
        <Section id="key" title={t('byKey')} lead={t('byKeyLead')}>
          <TextLink href="/owner/keys">{t('toKeys')}</TextLink>
        </Section>
      </Stack>
    </>
  );
}
