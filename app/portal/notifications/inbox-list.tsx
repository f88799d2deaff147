'use client';

import { Alert, Button, Group, Stack } from '@mantine/core';
import { ArrowUp, CheckCheck, Inbox } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { markAllReadAction, markReadAction, noteShownAction } from '#app/portal/actions.ts';
import type { Item } from '#app/portal/item.ts';
import { useListener } from '#app/portal/listener/listener.tsx';
import { InboxEntry } from '#app/portal/notifications/inbox-entry.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { InboxFilter } from '#server/inbox.ts';

/** A list of notifications that can be read, marked, and continued; what arrives waits behind a button. */
export function InboxList({
  initial,
  more: initialMore,
  filter,
  compact = false,
}: {
  initial: Item[];
  more: boolean;
  filter: InboxFilter;
  /** A short list on another page: no tools, and what arrives is put on top at once. */
  compact?: boolean;
}) {
  const t = useTranslations('inbox');
  const { arrived, unread, setUnread } = useListener();
  const [items, setItems] = useState(initial);
  const [more, setMore] = useState(initialMore);
  const [failed, setFailed] = useState(false);
  const top = items[0]?.no ?? 0;
  const waiting = arrived.filter(({ no }) => no > top);
  const shown = compact ? items.slice(0, 5) : items;
  useNoteShown(shown);
  useEffect(() => {
    if ((compact || items.length === 0) && waiting.length > 0) setItems((now) => [...waiting, ...now]);
  }, [compact, items.length, waiting]);

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  const mark = (item: Item, read: boolean) =>
    attempt(async () => {
      const paint = (value: boolean) =>
        setItems((now) => now.map((one) => (one.no === item.no ? { ...one, read: value } : one)));
      paint(read);
      const result = await markReadAction({ no: item.no, read }).catch(() => ({ problems: {} }));
      if ('value' in result) return setUnread(result.value.unread);
      paint(!read);
      throw new Error('not saved');
    });
  const markAll = () =>
    attempt(async () => {
      const upTo = Math.max(top, arrived[0]?.no ?? 0);
      const result = await markAllReadAction({ upTo });
      if (!('value' in result)) throw new Error('not saved');
      setItems((now) => (filter === 'unread' ? [] : now.map((one) => ({ ...one, read: true }))));
      if (filter === 'unread') setMore(false);
      setUnread(result.value.unread);
    });
  const loadMore = () =>
    attempt(async () => {
      const response = await fetch(`/portal/inbox?before=${items.at(-1)?.no ?? ''}&filter=${filter}`);
      if (!response.ok) throw new Error(String(response.status));
      const page = (await response.json()) as { items: Item[]; more: boolean };
      setItems((now) => [...now, ...page.items]);
      setMore(page.more);
    });

  return (
    <Stack gap="sm">
      {failed && (
        <Alert color="red" role="alert">
          {t('failed')}
        </Alert>
      )}
      {!compact && unread > 0 && (
        <Group justify="flex-end">
          <Button variant="subtle" leftSection={<CheckCheck aria-hidden size={18} />} onClick={markAll}>
            {t('markAll')}
          </Button>
        </Group>
      )}
      {!compact && waiting.length > 0 && (
        <Button
          variant="light"
          leftSection={<ArrowUp aria-hidden size={18} />}
          onClick={() => setItems((now) => [...waiting, ...now])}
        >
          {t('new', { count: waiting.length })}
        </Button>
      )}
      {shown.length === 0 ? (
        <EmptyState icon={<Inbox aria-hidden size={32} />} text={filter === 'unread' ? t('allRead') : t('empty')} />
      ) : (
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {shown.map((item) => (
            <InboxEntry
              key={item.no}
              item={item}
              heading={compact ? 'h3' : 'h2'}
              onMark={(read) => void mark(item, read)}
            />
          ))}
        </Stack>
      )}
      {more && (
        <Button variant="default" onClick={loadMore}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

function useNoteShown(items: Item[]): void {
  const numbers = items.map(({ no }) => no).join(',');
  useEffect(() => {
    if (numbers === '') return;
    void noteShownAction({ numbers: numbers.split(',').slice(0, 100).map(Number) }).catch(() => {});
  }, [numbers]);
}
