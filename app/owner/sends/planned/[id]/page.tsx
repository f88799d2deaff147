import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { validate } from 'uuid';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { asFormDraft, findFormChoices, whenOfPlan, whenOfRule } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findPlanned, findRule } from '#server/sends/planned/planned-list.ts';

export const generateMetadata = titled('planned', 'changeTitle');

/** Changes a planned send, named by the id of its draft, or a rule, named by its number. */
export default async function ChangePlan({ params }: PageProps<'/owner/sends/planned/[id]'>) {
  const { id } = await params;
  const ruleId = IdText.safeParse(id).data;
  const manager = await requireManager(`/owner/sends/planned/${encodeURIComponent(id)}`);
  const [t, choices, plan, rule] = await Promise.all([
    getTranslations('planned'),
    findFormChoices(manager),
    validate(id) ? findPlanned(manager, id) : null,
    ruleId === undefined ? null : findRule(manager, ruleId),
  ]);
  const { timeZone } = manager;
  // The next send of a rule changes with its rule.
  const single = plan && (plan.ruleId === null || plan.missedAt !== null) ? plan : null;
  const content = rule ?? single;
  const initial = rule ? whenOfRule(rule, timeZone) : single && whenOfPlan(single, timeZone);
  if (!content || !initial) notFound();
  return (
    <Texts of={['compose']}>
      <PageHead
        back={{ href: '/owner/sends/planned', text: t('back') }}
        title={t(rule ? 'changeRuleTitle' : 'changeTitle')}
        lead={rule ? t('changeRuleLead') : undefined}
      />
      <ComposeForm
        draft={await asFormDraft(manager, content, plan ?? { draftId: rule?.nextDraftId ?? '' })}
        choices={choices}
        planning={{ timeZone, initial, changes: { plan: single?.draftId, rule: rule?.id } }}
      />
    </Texts>
  );
}
