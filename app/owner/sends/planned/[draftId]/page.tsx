import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { titled } from '#app/language/page-title.ts';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { asFormDraft, findFormChoices, whenOfPlan } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findPlanned } from '#server/sends/planned/planned-list.ts';

export const generateMetadata = titled('planned', 'changeTitle');

export default async function ChangePlan({ params }: { params: Promise<{ draftId: string }> }) {
  const draftId = z.uuid().safeParse((await params).draftId).data;
  const manager = await requireManager(`/owner/sends/planned/${draftId ?? ''}`);
  const [t, plan] = await Promise.all([
    getTranslations('planned'),
    draftId === undefined ? null : findPlanned(manager, draftId),
  ]);
  if (!plan || (plan.ruleId !== null && plan.missedAt === null)) notFound();
  const { timeZone } = manager;
  const [draft, choices] = await Promise.all([asFormDraft(manager, plan, plan), findFormChoices(manager)]);
  return (
    <>
      <PageHead back={{ href: '/owner/sends/planned', text: t('back') }} title={t('changeTitle')} />
      <ComposeForm
        draft={draft}
        choices={choices}
        planning={{ timeZone, initial: whenOfPlan(plan, timeZone), changes: { plan: plan.draftId } }}
      />
    </>
  );
}
