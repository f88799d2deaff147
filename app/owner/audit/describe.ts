import { getFormatter, getTranslations } from 'next-intl/server';
import type { AuditEntry } from '#server/audit/list.ts';
import { asKind } from '#server/notifications/kinds.ts';

type Details = Record<string, unknown>;

type Entry = Pick<AuditEntry, 'action' | 'details'>;

export type AuditDescriber = Awaited<ReturnType<typeof makeDescriber>>;

/** Describes entries of the audit log by the messages `audit.event.<action>`, whose placeholders are their details. */
export async function makeDescriber() {
  const t = await getTranslations('audit');
  const kinds = await getTranslations('inbox.kind');
  const sessions = await getTranslations('sessions.idle');
  const alarms = await getTranslations('alarms');
  const format = await getFormatter();
  const label = (name: string) => {
    const key = `detail.${name}` as 'detail.no';
    return t.has(key) ? t(key) : name;
  };
  const value = (name: string, detail: unknown): string => {
    if (name.endsWith('IdleMinutes'))
      return detail ? sessions('after', { minutes: Number(detail) }) : sessions('never');
    if (detail === null || detail === undefined || detail === '') {
      if (name === 'expiresOn') return t('noEnd');
      return name.startsWith('keep') ? t('forEver') : '–';
    }
    if (name === 'expiresOn') return format.dateTime(new Date(String(detail)), { dateStyle: 'long', timeZone: 'UTC' });
    if (name === 'leavesAt')
      return format.dateTime(new Date(String(detail)), { dateStyle: 'medium', timeStyle: 'short' });
    if (name === 'every') return t(`every.${String(detail) as 'day'}`);
    const denied = `denied.${String(detail)}` as 'denied.createKeyAction';
    if (name === 'target' && t.has(denied)) return t(denied);
    if (typeof detail === 'boolean') return detail ? t('yes') : t('no');
    if (/^keep\w*Days$/.test(name) || name === 'days') return t('days', { count: Number(detail) });
    if (name === 'expectedEveryMinutes') return alarms('every', { minutes: Number(detail) });
    if (name === 'kind' || name === 'mustConfirmKinds')
      return String(detail).replace(/[^, ]+/g, (kind) => kinds(asKind(kind)));
    if (Array.isArray(detail)) return detail.map((item) => value('', item)).join(', ');
    return typeof detail === 'object' ? JSON.stringify(detail) : String(detail);
  };
  const changes = (details: Details): string => {
    const { changes: changed, was } = details;
    if (typeof changed !== 'object' || changed === null || Array.isArray(changed)) return value('', changed);
    const before = (was ?? {}) as Details;
    return Object.entries(changed)
      .map(([name, now]) => t('change', { name: label(name), was: value(name, before[name]), now: value(name, now) }))
      .join('; ');
  };
  // The recipient of a send; empty for any other entry.
  const recipient = ({ action, details }: Entry): string => {
    if (action !== 'notification.send' && action !== 'notification.remind') return '';
    if (Array.isArray(details.toPeople)) return t('somePeople', { count: details.toPeople.length });
    return String(details.recipientName || t('everyone'));
  };
  return {
    recipient,
    event: (entry: Entry): string => {
      const { action, details } = entry;
      const { was, ...rest } = details as { was?: Details };
      const before = Object.entries(was ?? {}).map(([name, detail]) => [asWas(name), value(name, detail)]);
      const plain = Object.entries(rest).map(([name, detail]) => [
        name,
        typeof detail === 'number' ? detail : value(name, detail),
      ]);
      const values = { recipient: recipient(entry), client: '', ...Object.fromEntries([...plain, ...before]) };
      const key = `event.${action}` as 'event.notification.send';
      return t.has(key) ? t(key, { ...values, changes: changes(details) } as never) : action;
    },
    /** The actor: the service, its operator, or a key or person by its name at that time. */
    actor: ({ actorKind, actorName }: Pick<AuditEntry, 'actorKind' | 'actorName'>): string => {
      if (actorKind === 'system' || actorKind === 'operator') return t(actorKind);
      return actorKind === 'key' ? t('key', { name: actorName }) : actorName;
    },
    facts: ({ details }: Pick<AuditEntry, 'details'>): { name: string; value: string }[] => {
      const { was, changes: changed, ...rest } = details as { was?: Details; changes?: unknown };
      const entries = Object.entries(rest).filter(([, detail]) => detail !== null);
      const plain = entries.map(([name, detail]) => ({ name: label(name), value: value(name, detail) }));
      if (changed !== undefined) return [...plain, { name: label('changes'), value: changes(details) }];
      const before = Object.entries(was ?? {}).map(([name, detail]) => ({
        name: t('before', { name: label(name) }),
        value: value(name, detail),
      }));
      return [...plain, ...before];
    },
  };
}

const asWas = (name: string) => `was${name[0]?.toUpperCase()}${name.slice(1)}`;
