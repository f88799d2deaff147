import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { listMissingIssuers } from '#server/accounts/sign-in/only-provider.ts';
import { clockToleranceSeconds, discover, fetchFor, redirectAddressOf } from '#server/accounts/sign-in/provider.ts';
import { explainFailure } from '#server/accounts/sign-in/provider-failures.ts';
import { type Check, type Finding, failing, ok, skipped } from '#server/command/doctor/check.ts';

const timeoutMs = 3500;
const accepted = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Asks each provider in the settings for its metadata, algorithms, keys and clock, and says what to register there. */
export const providersCheck: Check = {
  name: 'provider',
  run: async ({ settings, database }) => {
    if (!settings) return [skipped('The settings are wrong, so no provider was asked.')];
    const missing = database ? await listMissingIssuers().catch(() => []) : [];
    const answers = await Promise.all(settings.OIDC_PROVIDERS.map(checkProvider));
    return [...missing.map(describeMissing), ...answers.flat()];
  },
};

const describeMissing = ({ issuer, companies }: { issuer: string; companies: number }) =>
  failing(
    `OIDC_PROVIDERS does not have ${issuer}, with which alone people of ${companies} companies sign in.`,
    'Add it, or let their owners choose another way. After a change of its issuer: notif provider move.',
    'provider-required',
  );

async function checkProvider(provider: OidcProvider): Promise<Finding[]> {
  const { issuer } = provider;
  try {
    const facts = (await discover(provider)).serverMetadata();
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
    const response = await fetchFor(provider)(String(facts.jwks_uri), options);
    const { keys = [] } = (await response.json()) as { keys?: unknown[] };
    const secondsOff = Math.round((Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000);
    const algorithms = facts.id_token_signing_alg_values_supported ?? ['RS256'];
    const redirect = redirectAddressOf(provider);
    const logout = facts.end_session_endpoint
      ? `and ${new URL('/login', redirect)} for the way back from a sign-out`
      : 'and no address for a sign-out, which it does not offer (end_session_endpoint)';
    const problem = (sentence: string, cure: string, name: string) => failing(`${issuer} ${sentence}.`, cure, name);
    const findings = [ok(`${issuer} answers. Register there ${redirect} as the redirect address, ${logout}.`)];
    if (!algorithms.some((algorithm) => accepted.test(algorithm)))
      findings.push(problem(`signs with ${algorithms} only`, 'Choose RS256 or ES256 there.', 'provider-algorithm'));
    if (keys.length === 0) findings.push(problem('has no keys', 'Create a signing key there.', 'provider-keys'));
    if (Math.abs(secondsOff) > clockToleranceSeconds)
      findings.push(problem(`differs by ${secondsOff} s from this clock`, 'Correct the clocks.', 'provider-time'));
    return findings;
  } catch (error) {
    const { cause, meaning, error: reason } = explainFailure(error, issuer);
    const sentence = `${issuer} cannot be used: ${meaning} (${reason}).`;
    return [failing(sentence, 'Correct OIDC_PROVIDERS, or the provider: docs/configuration.md.', `provider-${cause}`)];
  }
}
