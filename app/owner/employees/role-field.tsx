import '#app/ui/forms/choices.css';
import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { use } from 'react';
import { FormProblems } from '#app/ui/forms/form-values.ts';

export function RoleField({ roles, ...field }: AutocompleteProps & { roles: string[] }) {
  return (
    <Autocomplete
      name="role"
      size="md"
      styles={{ input: { minHeight: 44 } }}
      maxLength={60}
      autoComplete="off"
      openOnFocus={false}
      data={roles}
      limit={6}
      error={use(FormProblems)[field.name ?? 'role']}
      {...field}
    />
  );
}
