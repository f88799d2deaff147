'use client';

import { Checkbox, Input, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { RoleCount } from '#server/sends/possible-recipients.ts';

// A list that is longer gets a field to search in it.
const searchFrom = 9;

/** The company's roles as rows to check, each with its number of people. */
export function RoleChoice({
  roles,
  chosen,
  error,
  onChange,
}: {
  roles: RoleCount[];
  chosen: string[];
  error?: string;
  onChange: (roles: string[]) => void;
}) {
  const t = useTranslations('compose');
  const id = useId();
  const [search, setSearch] = useState('');
  // A role that nobody has any more stays visible, so that it can be unchecked.
  const gone = chosen.filter((role) => !roles.some((one) => one.role === role));
  const all = [...gone.map((role) => ({ role, active: 0, inactive: 0 })), ...roles];
  const words = search.trim().toLowerCase();
  const shown = all.filter(({ role }) => role.toLowerCase().includes(words));
  const toggle = (role: string) =>
    onChange(chosen.includes(role) ? chosen.filter((one) => one !== role) : [...chosen, role]);
  return (
    <Input.Wrapper label={t('roles')} error={error} required labelElement="div" labelProps={{ id }}>
      {all.length >= searchFrom && (
        <TextInput
          type="search"
          value={search}
          placeholder={t('rolesSearch')}
          aria-label={t('rolesSearch')}
          mb="xs"
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <fieldset className="choice-rows" aria-labelledby={id}>
        {shown.map(({ role, active, inactive }) => (
          <Checkbox
            key={role}
            className="choice-row"
            size="md"
            checked={chosen.includes(role)}
            label={
              <>
                <bdi>{role}</bdi>
                <Text component="span" size="sm" c="dimmed">
                  {inactive > 0 ? t('roleCounts', { active, inactive }) : t('roleCount', { active })}
                </Text>
              </>
            }
            onChange={() => toggle(role)}
          />
        ))}
        {shown.length === 0 && <Text p="sm">{t('noRoles')}</Text>}
      </fieldset>
    </Input.Wrapper>
  );
}
