import { Box, Text } from '@mantine/core';
import { getFormatter, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Bars, ShareBar } from '#app/ui/pictures/pictures.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import { countOutOfReach, type KeyToCheck, listKeysToCheck } from '#server/companies/overview.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { countSendsByDay } from '#server/sends/history/list.ts';

const shownKeys = 4;

// The text of a row: a link whose target is the whole row, and a second line.
function RowText({ href, title, children }: { href: string; title: string; children: ReactNode }) {
  return (
    <Box flex={1} miw={0}>
      <PageLink href={href} className="row-link" dir="auto">
        {title}
      </PageLink>
      <div className="fine-print">{children}</div>
    </Box>
  );
}

/** The sends of the last 14 days as a picture, with a table behind it. */
export async function SendsByDay({ manager }: { manager: Manager }) {
  const [days, t, format] = await Promise.all([
    countSendsByDay(manager),
    getTranslations('owner.byDay'),
    getFormatter(),
  ]);
  // The day is a date without a zone, so it is formatted as one.
  const asDate = (day: string) => new Date(`${day}T00:00:00Z`);
  const total = days.reduce((sum, { sends }) => sum + sends, 0);
  return (
    <Section id="by-day" title={t('title')}>
      <Bars
        label={t('label', { total, today: days.at(-1)?.sends ?? 0 })}
        columns={[t('day'), t('sends')]}
        tableText={t('table')}
        bars={days.map(({ day, sends }) => ({
          label: format.dateTime(asDate(day), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
          short: format.dateTime(asDate(day), { day: 'numeric', timeZone: 'UTC' }),
          value: sends,
        }))}
      />
      {manager.kind === 'owner' && <TextLink href="/owner/statistics">{t('statistics')}</TextLink>}
    </Section>
  );
}

/** Why a send may not reach people, with the filter of the list that shows them. */
const reasons = [
  { name: 'noAccount', filter: 'account=none&choose=all', tone: 'attention' },
  { name: 'neverSeen', filter: 'account=own&portal=never', tone: 'attention' },
  { name: 'notSeenLately', filter: 'portal=away', tone: 'attention' },
  { name: 'noSound', filter: 'portal=silent', tone: 'soft' },
] as const;

/**
 * How many active employees a send reaches as one bar. Each reason why it may not reach the others
 * is a row that opens the list of these people.
 */
export async function Reach({ manager }: { manager: Manager }) {
  const t = await getTranslations('owner.reach');
  const counts = await countOutOfReach(manager);
  const missing = reasons.filter(({ name }) => counts[name] > 0);
  const reached = counts.active - missing.reduce((sum, { name }) => sum + counts[name], 0);
  const text = t('reached', { reached, active: counts.active });
  const parts = missing.map(({ name, tone }) => ({ label: t(`${name}.title`), value: counts[name], tone }));
  return (
    <Section id="reach" title={t('title')}>
      <Text size="sm">{text}</Text>
      <ShareBar
        label={text}
        total={counts.active}
        parts={[{ label: t('heard'), value: reached, tone: 'accent' }, ...parts]}
      />
      {missing.length > 0 && (
        <ul className="plain-list divided">
          {missing.map(({ name, filter, tone }) => (
            <li key={name}>
              <span className="tone-dot" data-tone={tone} aria-hidden />
              <RowText href={`/owner/employees?state=active&${filter}`} title={t(`${name}.title`)}>
                {t(`${name}.cure`)}
              </RowText>
              <strong className="figure">{counts[name]}</strong>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The first keys that the owner should check and the reason for each; nothing if there are none. */
export async function KeysToCheck({ owner }: { owner: Owner }) {
  const t = await getTranslations('owner.odd');
  const keys = await listKeysToCheck(owner);
  if (keys.length === 0) return null;
  return (
    <Section id="odd-keys" title={t('title')}>
      <ul className="plain-list divided">
        {keys.slice(0, shownKeys).map((key) => (
          <li key={key.id}>
            <RowText href={`/owner/keys/${key.id}`} title={key.name}>
              <ReasonToCheck apiKey={key} />
            </RowText>
          </li>
        ))}
      </ul>
      <div>
        <TextLink href="/owner/keys">{t('all')}</TextLink>
        {' · '}
        <TextLink href="/owner/audit/refused">{t('refused')}</TextLink>
      </div>
    </Section>
  );
}

async function ReasonToCheck({ apiKey }: { apiKey: KeyToCheck }) {
  const [t, format] = await Promise.all([getTranslations('owner.odd'), getFormatter()]);
  if (apiKey.what === 'refused') return t('refusedText', { count: apiKey.count, requests: apiKey.requests });
  if (apiKey.what === 'expired' || apiKey.what === 'expiring') {
    const day = format.dateTime(new Date(`${apiKey.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
    return apiKey.what === 'expiring' ? t('expiringText', { day }) : t('expiredText', { day, count: apiKey.count });
  }
  const { at } = apiKey;
  if (!at) return t('neverText');
  const when = () => <ShortTime at={at} />;
  if (apiKey.what !== 'revoked-calling') return t.rich('unusedText', { when });
  return t.rich('callingText', { count: apiKey.count, address: apiKey.address, when });
}
