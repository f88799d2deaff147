import { getFormatter, getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/page-head.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import { type KeyToCheck, listKeysToCheck } from '#server/companies/overview.ts';
import type { Owner } from '#server/principals.ts';

const shown = 4;

/** The first keys that the owner should check and the reason for each; nothing if there are none. */
export async function KeysToCheck({ owner }: { owner: Owner }) {
  const t = await getTranslations('owner.odd');
  const keys = await listKeysToCheck(owner);
  if (keys.length === 0) return null;
  return (
    <Section id="odd-keys" title={t('title')}>
      <ul className="plain-list">
        {keys.slice(0, shown).map((key) => (
          <li key={key.id} className="gap-row">
            <div className="recent-text">
              <PageLink href={`/owner/keys/${key.id}`} className="row-link">
                <bdi>{key.name}</bdi>
              </PageLink>
              <div className="second-line">
                <ReasonToCheck apiKey={key} />
              </div>
            </div>
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
  const t = await getTranslations('owner.odd');
  if (apiKey.what === 'refused') return t('refusedText', { count: apiKey.count, requests: apiKey.requests });
  if (apiKey.what === 'revoked-calling')
    return t.rich('callingText', {
      count: apiKey.count,
      address: apiKey.address,
      when: () => <ShortTime at={apiKey.at} />,
    });
  if (apiKey.what === 'expired' || apiKey.what === 'expiring') {
    const format = await getFormatter();
    const day = format.dateTime(new Date(`${apiKey.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
    return apiKey.what === 'expiring' ? t('expiringText', { day }) : t('expiredText', { day, count: apiKey.count });
  }
  const { at } = apiKey;
  return at ? t.rich('unusedText', { when: () => <ShortTime at={at} /> }) : t('neverText');
}
