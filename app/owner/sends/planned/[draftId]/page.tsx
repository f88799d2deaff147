import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { PlannedForm } from '#app/owner/sends/planned/planned-form.tsx';
import { whenOfPlan } from '#app/owner/sends/when/initial-when.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findPlanned } from '#server/sends/planned-list.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('planned'))('changeTitle') };
}

export default async function ChangePlan({ params }: { params: Promise<{ draftId: string }> }) {
  const draftId = z.uuid().safeParse((await params).draftId).data;
  const manager = await requireManager(`/owner/sends/planned/${draftId ?? ''}`);
  const [t, plan] = await Promise.all([
    getTranslations('planned'),
    draftId === undefined ? null : findPlanned(manager, draftId),
  ]);
  if (!plan || (plan.ruleId !== null && plan.missedAt === null)) notFound();
  const { timeZone } = manager;
  return (
    <>
      <TextLink href="/owner/sends/planned">{t('back')}</TextLink>
      <PageHead title={t('changeTitle')} />
      <PlannedForm
        manager={manager}
        planned={plan}
        planning={{ timeZone, initial: whenOfPlan(plan, timeZone), changes: { plan: plan.draftId } }}
      />
    </>
  );
}
