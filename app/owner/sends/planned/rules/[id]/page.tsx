import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { PlannedForm } from '#app/owner/sends/planned/planned-form.tsx';
import { whenOfRule } from '#app/owner/sends/when/initial-when.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findRule } from '#server/sends/planned-list.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('planned'))('changeRuleTitle') };
}

export default async function ChangeRule({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const manager = await requireManager(`/owner/sends/planned/rules/${id ?? ''}`);
  const [t, rule] = await Promise.all([getTranslations('planned'), id === undefined ? null : findRule(manager, id)]);
  if (!rule) notFound();
  const { timeZone } = manager;
  return (
    <>
      <TextLink href="/owner/sends/planned">{t('back')}</TextLink>
      <PageHead title={t('changeRuleTitle')} lead={t('changeRuleLead')} />
      <PlannedForm
        manager={manager}
        planned={rule}
        planning={{ timeZone, initial: whenOfRule(rule, timeZone), changes: { rule: rule.id } }}
      />
    </>
  );
}
