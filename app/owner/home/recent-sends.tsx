import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { sayRecipients } from '#app/owner/sends/recipients-text.ts';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { ShareBar } from '#app/ui/pictures/pictures.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { Manager } from '#server/principals.ts';
import { listSends, type Send } from '#server/sends/history/list.ts';
import { countOutcomes, type SendOutcome } from '#server/sends/history/outcomes.ts';

const shown = 6;

/** The newest sends, each with how many of its recipients have read it. A row opens the send. */
export async function RecentSends({ manager }: { manager: Manager }) {
  const [t, { sends }] = await Promise.all([getTranslations('owner'), listSends(manager, { limit: shown })]);
  const outcomes = countOutcomes(
    manager,
    sends.map(({ no }) => no),
  );
  return (
    <Section id="recent" title={t('recent')}>
      {sends.length === 0 ? (
        <p className="dimmed">{t('none')}</p>
      ) : (
        <ul className="plain-list">
          {sends.map((send) => (
            <RecentSend key={send.no} send={send} outcomes={outcomes} />
          ))}
        </ul>
      )}
      <div>
        <TextLink href="/owner/sends">{t('allSends')}</TextLink>
      </div>
    </Section>
  );
}

type Outcomes = Promise<Map<number, SendOutcome> | null>;

async function RecentSend({ send, outcomes }: { send: Send; outcomes: Outcomes }) {
  const t = await getTranslations('sends');
  const { no, kind, title, createdAt, withdrawnAt } = send;
  return (
    <li className="recent-send">
      <KindDisc kind={kind} />
      <div className="recent-text">
        <PageLink href={`/owner/sends/${no}`} className="row-link" dir="auto">
          {title}
        </PageLink>
        <div className="second-line">
          <bdi>{sayRecipients(send, t('everyone'), t)}</bdi> · <ShortTime at={createdAt} />
        </div>
      </div>
      <div className="recent-outcome">
        {withdrawnAt ? (
          <span className="second-line">{t('withdrawn')}</span>
        ) : (
          <Suspense fallback={<span className="second-line">{t('counting')}</span>}>
            <Outcome send={send} outcomes={outcomes} />
          </Suspense>
        )}
      </div>
    </li>
  );
}

async function Outcome({ send: { no, reach }, outcomes }: { send: Send; outcomes: Outcomes }) {
  const [t, home] = await Promise.all([getTranslations('sends'), getTranslations('owner')]);
  if (reach === 0) return <span className="second-line">{t('nobody')}</span>;
  const outcome = (await outcomes)?.get(no);
  if (!outcome) return <span className="second-line">{t('uncounted')}</span>;
  const text = t('readOf', { read: outcome.read, reach });
  return (
    <>
      <span className="second-line" aria-hidden>
        {outcome.read}
        <span className="wide-only">{` ${home('readOf', { reach })}`}</span>
        <span className="narrow-only">/{reach}</span>
      </span>
      <ShareBar
        label={text}
        total={reach}
        parts={[
          { label: home('readShare'), value: outcome.read, tone: 'accent' },
          { label: home('shownShare'), value: Math.max(0, outcome.shown - outcome.read), tone: 'soft' },
        ]}
      />
    </>
  );
}
