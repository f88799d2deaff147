import { PasswordInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { FormProblems } from '#app/ui/forms/form-values.ts';

/** The field for an existing password or, with `isNew`, for a new one with its rule. */
export function PasswordField({ name, label, isNew = false }: { name: string; label: string; isNew?: boolean }) {
  const t = useTranslations();
  const error = use(FormProblems)[name];
  return (
    <PasswordInput
      name={name}
      label={label}
      description={isNew && !error ? t('setup.passwordHint') : undefined}
      error={error}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
    />
  );
}
