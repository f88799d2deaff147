import type { ComponentProps, ReactNode } from 'react';
import { PlainButton } from '#app/ui/forms/plain-parts.tsx';
import type { OidcFlow } from '#server/accounts/sign-in/cookies.ts';

export type Provider = { id: string; label: string };

type Props = Pick<ComponentProps<'form'>, 'ref' | 'onSubmit'> & {
  provider: Provider;
  purpose: OidcFlow['purpose'];
  text: string;
  returnTo?: string;
  token?: string;
  isMain?: boolean;
  pending?: boolean;
};

/** A button that leads to a provider, as a separate form: it needs no scripts. */
export function ProviderForm(props: Props) {
  const { provider, purpose, text, returnTo = '/', token = '', isMain, pending, ...form } = props;
  return (
    <form method="post" action={`/api/auth/signin/${provider.id}`} {...form}>
      <input type="hidden" name="purpose" value={purpose} />
      <input type="hidden" name="callbackUrl" value={returnTo} />
      <input type="hidden" name="token" value={token} />
      <PlainButton type="submit" look={isMain ? 'filled' : 'default'} pending={pending}>
        {text}
      </PlainButton>
    </form>
  );
}

type ListProps = Pick<Props, 'purpose' | 'returnTo' | 'token'> & {
  providers: Provider[];
  /** What divides the buttons from the form above them. */
  or?: string;
  textOf: (provider: string) => string;
  children?: ReactNode;
};

/** A button for each provider; nothing without one. */
export function ProviderForms({ providers, or, textOf, children, ...form }: ListProps) {
  if (providers.length === 0) return null;
  return (
    <div className="stack plain-providers">
      {or && <span>{or}</span>}
      {providers.map((provider) => (
        <ProviderForm key={provider.id} provider={provider} text={textOf(provider.label)} {...form} />
      ))}
      {children}
    </div>
  );
}
