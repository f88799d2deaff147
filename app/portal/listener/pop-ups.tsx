'use client';

import { Anchor, Group, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { toast } from 'sonner';
import { noteShownAction } from '#app/portal/actions.ts';
import type { Item } from '#app/portal/item.ts';
import { KindIcon } from '#app/portal/kind-icon.tsx';

const lastsMs = 10_000;
const mostAtOnce = 3;

/** Shows notifications as pop-ups: up to three of them one by one, more as one summary. */
export function usePopUps() {
  const t = useTranslations('bell');
  return useMemo(() => {
    const summary = (id: string, text: string) =>
      toast(text, {
        id,
        duration: lastsMs,
        description: (
          <Anchor
            className="pop-up-link"
            component={Link}
            href="/portal/notifications"
            onClick={() => toast.dismiss(id)}
          >
            {t('show')}
          </Anchor>
        ),
      });
    return {
      show: (items: Item[]) => {
        if (items.length > mostAtOnce) return void summary('more', t('more', { count: items.length }));
        for (const item of items)
          toast(<PopUpTitle item={item} />, {
            id: `notification-${item.no}`,
            duration: lastsMs,
            description: <PopUpBody item={item} />,
          });
        void noteShownAction({ numbers: items.map(({ no }) => no) }).catch(() => {});
      },
      summarize: (count: number) => void summary('summary', t('summary', { count })),
    };
  }, [t]);
}

function PopUpTitle({ item }: { item: Item }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={item.kind} size={18} />
      <Text component="bdi" fw={600} size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {item.title}
      </Text>
    </Group>
  );
}

function PopUpBody({ item }: { item: Item }) {
  const t = useTranslations('bell');
  return (
    <>
      <Text component="bdi" size="sm" className="multiline" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
        {item.body}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {t('from', { sender: item.sender })}
      </Text>
      <Group gap="xl">
        {item.href && (
          <Anchor className="pop-up-link" href={item.href} size="sm">
            {t('open')}
          </Anchor>
        )}
        <Anchor
          component={Link}
          href="/portal/notifications"
          size="sm"
          onClick={() => toast.dismiss(`notification-${item.no}`)}
        >
          {t('show')}
        </Anchor>
      </Group>
    </>
  );
}
