import { CalendarClock } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { titled } from '#app/language/page-title.ts';
import { MessageCards } from '#app/owner/sends/message-cards.tsx';
import { MissedCard, MissedOfRuleCard, PlannedCard, RuleCard } from '#app/owner/sends/planned/plan-cards.tsx';
import { SendTabs } from '#app/owner/sends/send-tabs.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listPlanned } from '#server/sends/planned/planned-list.ts';

export const generateMetadata = titled('planned', 'title');

export default async function Planned() {
  const manager = await requireManager('/owner/sends/planned');
  const [t, { sends, rules }] = await Promise.all([getTranslations('planned'), listPlanned(manager)]);
  const missed = sends.filter(({ missedAt }) => missedAt !== null);
  const missedTogether = [...Map.groupBy(missed, ({ ruleId, draftId }) => ruleId ?? draftId).values()];
  const waiting = sends.filter(({ missedAt }) => missedAt === null);
  const icon = <CalendarClock aria-hidden size={32} />;
  return (
    <>
      <PageHead compact title={t('title')}>
        <ButtonLink href="/owner/sends/new" icon={<CalendarClock aria-hidden size={18} />}>
          {t('new')}
        </ButtonLink>
      </PageHead>
      <SendTabs current="planned" />
      {sends.length + rules.length === 0 && <EmptyState icon={icon} title={t('empty')} text={t('emptyText')} />}
      <Group title={t('missed')} count={missed.length}>
        {missedTogether.map(([first, ...more]) => {
          if (!first) return null;
          const { ruleId, draftId } = first;
          if (ruleId === null || more.length === 0) return <MissedCard key={draftId} send={first} />;
          return <MissedOfRuleCard key={draftId} rule={ruleId} sends={[first, ...more]} />;
        })}
      </Group>
      <Group title={t('waiting')} count={waiting.length}>
        {waiting.map((send) => (
          <PlannedCard key={send.draftId} send={send} timeZone={manager.timeZone} />
        ))}
      </Group>
      <Group title={t('repeating')} count={rules.length}>
        {rules.map((rule) => (
          <RuleCard key={rule.id} rule={rule} />
        ))}
      </Group>
    </>
  );
}

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <section className="message-group" aria-label={title}>
      <h2>{title}</h2>
      <MessageCards>{children}</MessageCards>
    </section>
  );
}
