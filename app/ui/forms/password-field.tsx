import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use, useState } from 'react';
import { FormProblems } from '#app/ui/forms/form-values.ts';
import { PlainField } from '#app/ui/forms/plain-parts.tsx';

/** The field for an existing password or, with `isNew`, for a new one with its rule. */
export function PasswordField({ name, label, isNew = false }: { name: string; label: string; isNew?: boolean }) {
  const t = useTranslations();
  const error = use(FormProblems)[name];
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <PlainField
      name={name}
      type={shown ? 'text' : 'password'}
      label={label}
      description={isNew && !error ? t('setup.passwordHint') : undefined}
      error={error}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      end={
        <button
          type="button"
          className="icon-button"
          aria-label={t('login.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon />
        </button>
      }
    />
  );
}
