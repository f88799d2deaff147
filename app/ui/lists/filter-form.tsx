'use client';

import { Button, Group } from '@mantine/core';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useTransition } from 'react';
import { TextLink } from '#app/ui/text/text-link.tsx';

/**
 * The filters of a list as a form. They are kept in the address, so that reload, back and sharing
 * keep them. Give its fields a `name` and a `defaultValue`; empty ones are left out. Works without
 * JavaScript.
 */
export function FilterForm({ filtered, children }: { filtered: boolean; children: ReactNode }) {
  const t = useTranslations('filter');
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    const search = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)])).toString();
    startTransition(() => router.push(search ? `${pathname}?${search}` : pathname));
  };
  return (
    <search>
      <form method="get" onSubmit={submit}>
        <Group align="flex-end" gap="sm" mb="md">
          {children}
          <Button type="submit" variant="default" loading={pending}>
            {t('apply')}
          </Button>
          {filtered && <TextLink href={pathname}>{t('clear')}</TextLink>}
        </Group>
      </form>
    </search>
  );
}
