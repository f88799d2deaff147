'use client';

import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';

/** A field for a role that suggests the roles that employees have. */
export function RoleField({ roles, ...field }: TextInputProps & { roles: string[] }) {
  const id = useId();
  return (
    <>
      <TextInput {...field} list={id} autoComplete="off" />
      <datalist id={id}>
        {roles.map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
    </>
  );
}
