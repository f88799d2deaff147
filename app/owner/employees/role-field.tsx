'use client';

import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';

/** The roles that the fields with the `list` of this id suggest. */
export function RoleList({ id, roles }: { id: string; roles: string[] }) {
  return (
    <datalist id={id}>
      {roles.map((role) => (
        <option key={role} value={role} />
      ))}
    </datalist>
  );
}

/** A field for a role that suggests the roles that employees have. */
export function RoleField({ roles, ...field }: TextInputProps & { roles: string[] }) {
  const id = useId();
  return (
    <>
      <TextInput {...field} list={id} autoComplete="off" />
      <RoleList id={id} roles={roles} />
    </>
  );
}
