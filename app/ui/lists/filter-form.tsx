'use client';

import { Button, Group } from '@mantine/core';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useTransition } from 'react';
import { TextLink } from '#app/ui/text/text-link.tsx';

/**
 * The filters of a list, kept in the address: they survive a reload, the back button and being sent
 * to somebody. Its fields are ordinary ones with a `name` and a `defaultValue`; an empty field is
 * left out of the address. Works without scripts too.
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
