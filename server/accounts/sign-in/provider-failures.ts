import { AuthorizationResponseError } from 'openid-client';
import { logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { OtherIssuer } from '#server/accounts/sign-in/provider.ts';

const hourMs = 60 * 60_000;
const maxDescriptionLength = 200;

/** Why a sign-in at a provider fails: the sentence for the operator, and its pattern. The first match counts. */
const causes = {
  'redirect-address': [
    'the redirect address is not registered at the provider',
    /redirect_uri|redirect (?:address|url)/i,
  ],
  client: ['the provider accepts not this clientId or clientSecret', /invalid_client|unauthorized_client|WWW_AUTH/],
  cancelled: ['the person cancelled, or the provider refused them', /access_denied|(?:login|interaction)_required/],
  expired: [
    'the certificate has expired or is not valid yet; renew it at the provider, or correct the clock here',
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
  ],
  certificate: [
    'the certificate is not trusted ("ca" names that of an own authority)',
    /CERT|SELF_SIGNED|UNABLE_TO|_TLS|_SSL/,
  ],
  time: ['the clocks here and at the provider differ by more than 3 minutes', /timestamp/i],
  algorithm: ['the signature has an algorithm that is refused, or that was not announced', /"alg"|unsupported/],
  unreachable: [
    'the provider does not answer, or not as one of OpenID Connect',
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|TIME_?D?OUT|Abort|UND_ERR|RESPONSE_IS_NOT|PARSE_ERROR|server_error|unavailable/,
  ],
  slash: ['the issuer in the settings and at the provider differ in the slash at the end', null],
  issuer: ['the provider calls itself by another issuer than the settings', null],
  other: ['the answer of the provider was refused', null],
} as const;

type Cause = keyof typeof causes;

// The errors of RFC 6749 and OpenID Connect Core.
const standardErrors =
  /^(?:(?:access|invalid|unauthorized|unsupported|server|temporarily|interaction|login|consent)_[a-z_]{1,30}|account_selection_required)$/;

type Told = Error & { code?: unknown; error?: string; error_description?: string };

/** Explains an error of `provider.ts`, without what a person typed. `issuer` is that of the settings. */
export function explainFailure(thrown: unknown, issuer: string) {
  const chain: Told[] = [];
  for (let told = thrown; told instanceof Error && chain.length < 5; told = told.cause) chain.push(told as Told);
  const { error, error_description: description } = chain[0] ?? {};
  const messages = chain.map(({ message }) => message).join(': ');
  const codes = chain.map(({ code, name }) => `${code ?? name}`);
  const text = [...codes, messages, error, description].join(' ');
  const otherIssuer = findOtherIssuer(chain[0]);
  const isSame = otherIssuer?.replace(/\/$/, '') === issuer.replace(/\/$/, '');
  const named = Object.keys(causes).find((name) => causes[name as Cause][1]?.test(text)) as Cause | undefined;
  const cause: Cause = otherIssuer === undefined ? (named ?? 'other') : isSame ? 'slash' : 'issuer';
  return {
    cause,
    meaning: causes[cause][0],
    error_description: description && withoutTyped(description),
    error: withoutTyped(error ?? (otherIssuer === undefined ? messages : `the issuer is ${otherIssuer}`)),
  };
}

/** Logs and counts why a sign-in or sign-out at a provider failed, once an hour for each cause and error. */
export function logProviderFailure(thrown: unknown, { id, issuer }: { id: string; issuer: string }): Cause {
  const { cause, error, ...once } = explainFailure(thrown, issuer);
  // A person can type what comes with the way back.
  const isTyped = thrown instanceof AuthorizationResponseError && !standardErrors.test(error);
  const same = { provider: id, issuer, cause, error: isTyped ? 'unknown' : error };
  metrics()?.count('provider_failures', cause);
  logRepeats('warn', same, once, 'a sign-in at a provider failed', hourMs);
  return cause;
}

// openid-client keeps the metadata that it refused as the cause.
function findOtherIssuer(thrown: unknown): string | undefined {
  if (thrown instanceof OtherIssuer) return thrown.message;
  const cause = (thrown as Error | undefined)?.cause as { attribute?: string; body?: { issuer?: unknown } } | undefined;
  return cause?.attribute === 'issuer' ? String(cause.body?.issuer) : undefined;
}

// A provider may repeat a name, an address or what stands in a field.
const withoutTyped = (text: string): string =>
  text
    .replace(/(["'`‘“]).*?(["'`’”])|\S+@\S+/g, '…')
    .replace(/\p{C}/gu, ' ')
    .slice(0, maxDescriptionLength);
