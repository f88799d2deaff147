import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { readForm } from '#app/ui/forms/form-values.ts';
import { PlainButton, PlainField } from '#app/ui/forms/plain-parts.tsx';

/** Takes the code that the window of a bell shows, in any case, with or without blanks. */
export function TypedCode({ onTyped }: { onTyped: (ticket: string) => void }) {
  const t = useTranslations('embed');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { ticket = '' } = readForm(event.currentTarget);
    onTyped(ticket.toLowerCase().replace(/[^a-z0-9]/g, ''));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <PlainField name="ticket" label={t('code')} autoComplete="off" autoCapitalize="none" required />
      <PlainButton type="submit" look="default">
        {t('connect')}
      </PlainButton>
    </form>
  );
}
