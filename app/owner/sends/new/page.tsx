import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { emptyDraft } from '#app/owner/sends/new/form-draft.ts';
import { asFormDraft, findFormChoices, initialWhen } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, IdText, NumberText, type QueryOf, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSendContent } from '#server/sends/history/details.ts';
import { findPossibleRecipient } from '#server/sends/manual/possible-recipients.ts';
import { findTemplate } from '#server/sends/manual/templates.ts';
import { findUndone } from '#server/sends/planned/planned-sends.ts';

export const generateMetadata = titled('compose', 'title');

export default async function Compose({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(firstQuery, await searchParams);
  const manager = await requireManager(addressOf('/owner/sends/new', query));
  const [draft, choices] = await Promise.all([findFirstDraft(manager, query), findFormChoices(manager)]);
  const t = await getTranslations('compose');
  const start = addressOf('', query);
  return (
    <Texts of={['compose']}>
      <PageHead compact title={t('title')} />
      <ComposeForm
        key={start}
        draft={draft}
        choices={choices}
        keptAs={`${manager.companyId}:${manager.accountId} ${start}`}
        isUndone={query.undone !== undefined}
        planning={{ timeZone: manager.timeZone, initial: initialWhen(manager.timeZone) }}
      />
    </Texts>
  );
}

const firstQuery = { to: IdText, again: NumberText, template: IdText, undone: z.uuid() };

// With `again` the form begins as a send, with `undone` as one that was undone, with `to` as one for a person.
async function findFirstDraft(manager: Manager, { to, again, template, undone }: QueryOf<typeof firstQuery>) {
  const content =
    (again && (await findSendContent(manager, again))) ||
    (undone && (await findUndone(manager, undone))) ||
    (template && (await findTemplate(manager, template)));
  const of = (again && { no: again }) || (undone && { draftId: undone }) || null;
  if (content) return asFormDraft(manager, content, of);
  const recipient = to ? await findPossibleRecipient(manager, to) : null;
  return recipient ? { ...emptyDraft, to: 'one' as const, recipient } : emptyDraft;
}
