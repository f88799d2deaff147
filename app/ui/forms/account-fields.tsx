'use client';

import { Alert, PasswordInput, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** Says that a form does nothing while the browser runs no scripts. */
export function NeedsScripts() {
  const t = useTranslations('form');
  return (
    <noscript>
      <Alert color="yellow">{t('needsScripts')}</Alert>
    </noscript>
  );
}

/** The field for a new username. */
export function NewUsernameField({ error }: { error?: string }) {
  const t = useTranslations('setup');
  return (
    <TextInput
      name="username"
      label={t('username')}
      description={t('usernameHint')}
      error={error}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}

/** The field for an existing password or, with `isNew`, for a new one with its rule. */
export function PasswordField({
  name,
  label,
  error,
  isNew = false,
}: {
  name: string;
  label: string;
  error?: string;
  isNew?: boolean;
}) {
  const t = useTranslations('setup');
  const login = useTranslations('login');
  return (
    <PasswordInput
      name={name}
      label={label}
      description={isNew && !error ? t('passwordHint') : undefined}
      error={error}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      visibilityToggleButtonProps={{ 'aria-label': login('showPassword'), tabIndex: 0 }}
    />
  );
}
