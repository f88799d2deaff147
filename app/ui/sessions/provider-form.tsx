import { Button } from '@mantine/core';
import type { FormEvent, Ref } from 'react';

/** What a button of a provider needs to know. */
export type Provider = { id: string; label: string };

type Props = {
  provider: Provider;
  purpose: 'sign-in' | 'link' | 'reauthenticate' | 'join';
  /** The button's text. */
  text: string;
  returnTo?: string;
  token?: string;
  form?: Ref<HTMLFormElement>;
  pending?: boolean;
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
};

/** A button that leads to a provider, as a form of its own: it needs no scripts. */
export function ProviderForm({ provider, purpose, text, returnTo = '/', token = '', form, pending, onSubmit }: Props) {
  return (
    <form ref={form} method="post" action={`/api/auth/signin/${provider.id}`} onSubmit={onSubmit}>
      <input type="hidden" name="purpose" value={purpose} />
      <input type="hidden" name="callbackUrl" value={returnTo} />
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="default" size={purpose === 'link' ? 'sm' : 'md'} fullWidth loading={pending}>
        {text}
      </Button>
    </form>
  );
}
