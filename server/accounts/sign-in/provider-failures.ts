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

// What tells a cause: the codes, messages and answers of an error and of its causes.
const signs: [Cause, RegExp][] = [
  ['redirect-address', /redirect_uri|redirect address|redirect url/i],
  ['client', /invalid_client|unauthorized_client|WWW_AUTHENTICATE/],
  ['cancelled', /access_denied|login_required|interaction_required/],
  ['certificate', /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/],
  ['time', /TIMESTAMP/],
  ['algorithm', /"alg"|unsupported/],
  ['unreachable', /ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|TIMEDOUT|TIMEOUT|Abort|UND_ERR|RESPONSE_IS_NOT|PARSE_ERROR/],
  ['unreachable', /server_error|temporarily_unavailable/],
];

type Told = Error & { code?: unknown; error?: string; error_description?: string };

/**
 * Explains an error of `provider.ts`; `issuer` is that of the settings. Returns the cause, and the words
 * of the provider without what a person typed.
 */
export function explainFailure(
  thrown: unknown,
  issuer: string,
): { cause: Cause; error: string; description: string | undefined } {
  const chain: Told[] = [];
  for (let told = thrown; told instanceof Error && chain.length < 5; told = told.cause) chain.push(told as Told);
  const { error, error_description: description } = chain[0] ?? {};
  const messages = chain.map(({ message }) => message).join(': ');
  const found = findOtherIssuer(chain[0]);
  const isSame = found?.replace(/\/$/, '') === issuer.replace(/\/$/, '');
  const text = chain.map(({ code, name }) => `${code ?? name}`).join(' ') + [messages, error, description].join(' ');
  const cause = signs.find(([, sign]) => sign.test(text))?.[0] ?? 'other';
  return {
    cause: found === undefined ? cause : isSame ? 'slash' : 'issuer',
    error: withoutTyped(error ?? (found === undefined ? messages : `the issuer is ${found}`)),
    description: description && withoutTyped(description),
  };
}

/** Logs why a sign-in at a provider failed, once an hour for each cause, and counts it. Returns the cause. */
export function logProviderFailure(thrown: unknown, { id, issuer }: { id: string; issuer: string }): Cause {
  const { cause, error, description } = explainFailure(thrown, issuer);
  metrics()?.count('provider_failures', cause);
  const once = { error, error_description: description, meaning: failureCauses[cause] };
  logRepeats('warn', { provider: id, issuer, cause }, once, 'a sign-in at a provider failed', hourMs);
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
