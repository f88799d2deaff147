import * as oidc from 'openid-client';
import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { clockToleranceSeconds, discover, fetchFor, redirectAddressOf } from '#server/accounts/sign-in/provider.ts';
import { explainFailure, failureCauses } from '#server/accounts/sign-in/provider-failures.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';

const timeoutMs = 3500;
const accepted = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Asks each provider in the settings for its metadata, keys and clock, and whether it knows this client. */
export const providersCheck: Check = {
  name: 'provider',
  run: async ({ settings }) => {
    if (!settings) return [skipped('The settings are wrong, so no provider was asked.')];
    return (await Promise.all(settings.OIDC_PROVIDERS.map(checkProvider))).flat();
  },
};

async function checkProvider(provider: OidcProvider): Promise<Finding[]> {
  const { issuer } = provider;
  try {
    const configuration = await discover(provider);
    const facts = configuration.serverMetadata();
    const logout = facts.end_session_endpoint
      ? `Register ${new URL('/login', redirectAddressOf(provider))} for the way back from a sign-out.`
      : 'It has no end_session_endpoint, so people sign out there by themselves.';
    return [
      ok(`The provider ${issuer} answers. ${logout}`),
      checkAlgorithms(issuer, facts.id_token_signing_alg_values_supported ?? ['RS256']),
      ...(await checkKeys(provider, String(facts.jwks_uri))),
      await checkRedirect(provider, configuration),
      await checkSecret(provider, configuration),
    ];
  } catch (error) {
    return [describeFailure(provider, error)];
  }
}

function describeFailure({ issuer }: OidcProvider, thrown: unknown): Finding {
  const { cause, error } = explainFailure(thrown, issuer);
  const sentence = `The provider ${issuer} cannot be used: ${failureCauses[cause]} (${error}).`;
  return failing(sentence, 'Correct OIDC_PROVIDERS, or the provider: docs/configuration.md.', `provider-${cause}`);
}

function checkAlgorithms(issuer: string, announced: string[]): Finding {
  const usable = announced.filter((one) => accepted.test(one));
  if (usable.length > 0) return ok(`${issuer} signs with ${usable.join(', ')}.`, 'provider-algorithm');
  return failing(
    `${issuer} signs with ${announced.join(', ')} only, which is not accepted.`,
    'Choose RS256 or ES256 at the provider.',
    'provider-algorithm',
  );
}

async function checkKeys(provider: OidcProvider, address: string): Promise<Finding[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
  const response = await fetchFor(provider)(address, options);
  const { keys = [] } = (await response.json()) as { keys?: unknown[] };
  const secondsOff = Math.round((Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000);
  const found = [
    keys.length > 0
      ? ok(`${provider.issuer} has ${keys.length} keys.`, 'provider-keys')
      : failing(`${provider.issuer} has no keys.`, 'Create a signing key at the provider.', 'provider-keys'),
  ];
  if (Math.abs(secondsOff) > clockToleranceSeconds)
    found.push(
      failing(
        `The clock of ${provider.issuer} differs by ${secondsOff} s.`,
        `Correct the clocks; ${clockToleranceSeconds} s are allowed.`,
        'provider-time',
      ),
    );
  return found;
}

// With prompt=none a provider leads back at once, but to registered addresses only.
async function checkRedirect(provider: OidcProvider, configuration: oidc.Configuration): Promise<Finding> {
  const redirect = redirectAddressOf(provider);
  const query = { redirect_uri: redirect, scope: 'openid', prompt: 'none', state: 'doctor', nonce: 'doctor' };
  const address = oidc.buildAuthorizationUrl(configuration, {
    ...{ ...query, code_challenge_method: 'S256' },
    code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
  });
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
  const { headers } = await fetchFor(provider)(address.href, options);
  return headers.get('location')?.startsWith(redirect)
    ? ok(`${provider.issuer} leads back to ${redirect}.`, 'provider-redirect-address')
    : warning(
        `${provider.issuer} did not lead back to ${redirect}.`,
        'Register exactly this redirect address there, for the client in clientId. Some providers cannot be asked this.',
        'provider-redirect-address',
      );
}

// A provider that accepts the client says that the code is wrong.
async function checkSecret(provider: OidcProvider, configuration: oidc.Configuration): Promise<Finding> {
  const parameters = {
    code: 'doctor',
    redirect_uri: redirectAddressOf(provider),
    code_verifier: oidc.randomPKCECodeVerifier(),
  };
  const thrown = await oidc
    .genericGrantRequest(configuration, 'authorization_code', parameters)
    .catch((error) => error);
  const { cause } = explainFailure(thrown, provider.issuer);
  return cause === 'client' || cause === 'unreachable'
    ? describeFailure(provider, thrown)
    : ok(`${provider.issuer} accepts clientId and clientSecret.`, 'provider-client');
}
