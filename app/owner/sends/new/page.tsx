import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { emptyDraft, type FormDraft } from '#app/owner/sends/new/form-draft.ts';
import { asFormDraft, findFormChoices, initialWhen } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, IdText, NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSendContent } from '#server/sends/history/details.ts';
import { findPossibleRecipient } from '#server/sends/manual/possible-recipients.ts';
import { findTemplate } from '#server/sends/manual/templates.ts';

export const generateMetadata = titled('compose', 'title');

export default async function Compose({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery({ to: IdText, again: NumberText, template: IdText }, await searchParams);
  const manager = await requireManager(addressOf('/owner/sends/new', query));
  const [t, sends, draft, choices] = await Promise.all([
    getTranslations('compose'),
    getTranslations('sends'),
    findFirstDraft(manager, query),
    findFormChoices(manager),
  ]);
  return (
    <>
      <TextLink href="/owner/sends">{sends('back')}</TextLink>
      <PageHead title={t('title')} lead={t('lead')} />
      <ComposeForm
        key={`${query.again} ${query.template}`}
        draft={draft}
        choices={choices}
        planning={{ timeZone: manager.timeZone, initial: initialWhen(manager.timeZone) }}
      />
    </>
  );
}

type FirstQuery = { to?: number; again?: number; template?: number };

// With `again` the form begins as a send, with `template` as a template of the company, with `to` as
// one for a person.
async function findFirstDraft(manager: Manager, { to, again, template }: FirstQuery): Promise<FormDraft> {
  const content =
    again !== undefined
      ? await findSendContent(manager, again)
      : template !== undefined && (await findTemplate(manager, template));
  if (content) return asFormDraft(manager, content);
  const recipient = to === undefined ? null : await findPossibleRecipient(manager, to);
  return { ...emptyDraft, to: recipient ? 'one' : 'everyone', recipient };
}
