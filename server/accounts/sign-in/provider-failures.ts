import * as oidc from 'openid-client';
import { logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { OtherIssuer } from '#server/accounts/sign-in/provider.ts';

const hourMs = 60 * 60_000;
const maxDescriptionLength = 200;

/** The causes for which a sign-in at a provider fails, each with its sentence for the operator. */
export const failureCauses = {
  unreachable: 'the provider does not answer, or not as one of OpenID Connect',
  certificate: 'the certificate of the provider is not trusted; "ca" names the file of a private authority',
  slash: 'the issuer in the settings and at the provider differ in the slash at the end',
  issuer: 'the provider calls itself by another issuer than the settings',
  client: 'the provider does not accept clientId or clientSecret',
  'redirect-address': 'the redirect address is not registered at the provider as it must be',
  time: 'the clocks of the provider and of this machine differ by more than 3 minutes',
  algorithm: 'the provider signs with an algorithm that is not accepted, or that it does not announce',
  cancelled: 'the person cancelled, or the provider refused them',
  other: 'the answer of the provider was refused',
} as const;

type Cause = keyof typeof failureCauses;

/** Why a sign-in failed: the cause, and the words of the provider without what a person typed. */
export type ProviderFailure = { cause: Cause; error: string; description: string | undefined };

/** Explains an error of `provider.ts`. `issuer` is that of the settings. */
export function explainFailure(thrown: unknown, issuer: string): ProviderFailure {
  const chain = causesOf(thrown);
  const [first] = chain;
  if (first instanceof oidc.AuthorizationResponseError || first instanceof oidc.ResponseBodyError) {
    const { error, error_description: text } = first;
    return { cause: causeOfAnswer(error, text ?? ''), error, description: text && withoutTyped(text) };
  }
  const text = chain.map((error) => error.message).join(': ');
  const codes = chain.map((error) => String(error.code ?? error.name)).join(' ');
  const found = first instanceof OtherIssuer ? first.message : issuerIn(chain);
  const cause = found === undefined ? causeOfError(text, codes) : sameBut(found, issuer) ? 'slash' : 'issuer';
  return { cause, error: found === undefined ? withoutTyped(text) : `the issuer is ${found}`, description: undefined };
}

/**
 * Logs why a sign-in at a provider failed, once an hour for each cause, and counts it. Returns the cause.
 */
export function logProviderFailure(thrown: unknown, { id, issuer }: { id: string; issuer: string }): Cause {
  const { cause, error, description } = explainFailure(thrown, issuer);
  metrics()?.count('provider_failures', cause);
  const once = { error, error_description: description, meaning: failureCauses[cause] };
  logRepeats('warn', { provider: id, issuer, cause }, once, 'a sign-in at a provider failed', hourMs);
  return cause;
}

type Coded = Error & { code?: unknown };

function causesOf(thrown: unknown): Coded[] {
  const chain: Coded[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 5; error = error.cause) chain.push(error);
  return chain;
}

// openid-client keeps the metadata that it refused as the cause.
function issuerIn([error]: Coded[]): string | undefined {
  const cause = error?.cause as { attribute?: string; body?: { issuer?: unknown } } | undefined;
  return cause?.attribute === 'issuer' ? String(cause.body?.issuer) : undefined;
}

const sameBut = (one: string, other: string) => one.replace(/\/$/, '') === other.replace(/\/$/, '');

function causeOfAnswer(error: string, text: string): Cause {
  if (/redirect/i.test(`${error} ${text}`)) return 'redirect-address';
  if (error === 'invalid_client' || error === 'unauthorized_client') return 'client';
  if (['access_denied', 'login_required', 'interaction_required'].includes(error)) return 'cancelled';
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'unreachable' : 'other';
}

const ofCodes: [RegExp, Cause][] = [
  [/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/, 'certificate'],
  [/TIMESTAMP/, 'time'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT|TIMEOUT|Abort|UND_ERR|RESPONSE_IS_NOT|PARSE_ERROR/, 'unreachable'],
  [/WWW_AUTHENTICATE/, 'client'],
];

function causeOfError(text: string, codes: string): Cause {
  if (/"?alg"?\b|unsupported/i.test(text)) return 'algorithm';
  return ofCodes.find(([pattern]) => pattern.test(codes))?.[1] ?? 'other';
}

// A provider may repeat a name, an address or what stands in a field.
const withoutTyped = (text: string): string =>
  text
    .replace(/(["'`‘“]).*?(["'`’”])/g, '…')
    .replace(/\S+@\S+/g, '…')
    .replace(/\p{C}/gu, ' ')
    .slice(0, maxDescriptionLength);
