import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { asFormDraft, findFormChoices, whenOfRule } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findRule } from '#server/sends/planned/planned-list.ts';

export const generateMetadata = titled('planned', 'changeRuleTitle');

export default async function ChangeRule({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const manager = await requireManager(`/owner/sends/planned/rules/${id ?? ''}`);
  const [t, rule] = await Promise.all([getTranslations('planned'), id === undefined ? null : findRule(manager, id)]);
  if (!rule) notFound();
  const { timeZone } = manager;
  const [draft, choices] = await Promise.all([asFormDraft(manager, rule), findFormChoices(manager)]);
  return (
    <>
      <PageHead
        back={{ href: '/owner/sends/planned', text: t('back') }}
        title={t('changeRuleTitle')}
        lead={t('changeRuleLead')}
      />
      <ComposeForm
        draft={draft}
        choices={choices}
        planning={{ timeZone, initial: whenOfRule(rule, timeZone), changes: { rule: rule.id } }}
      />
    </>
  );
}
