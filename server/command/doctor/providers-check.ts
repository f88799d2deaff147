import * as oidc from 'openid-client';
import type { OidcProvider } from '#platform/config/identity.ts';
import { listMissingIssuers } from '#server/accounts/sign-in/only-provider.ts';
import {
  clockToleranceSeconds,
  discover,
  fetchFor,
  logoutAddressOf,
  redirectAddressOf,
} from '#server/accounts/sign-in/provider.ts';
import { explainFailure } from '#server/accounts/sign-in/provider-failures.ts';
import { findLastLogout } from '#server/accounts/sign-in/provider-sessions.ts';
import { type Check, type Finding, failing, ok, skipped } from '#server/command/doctor/check.ts';

const timeoutMs = 3500;
const accepted = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Asks each provider for its metadata, algorithms, keys and clock, and whether it knows this client. */
export const providersCheck: Check = {
  name: 'provider',
  run: async ({ settings, database }) => {
    if (!settings) return [skipped('The settings are wrong, so no provider was asked.')];
    const missing = database ? await listMissingIssuers().catch(() => []) : [];
    const answers = await Promise.all(
      settings.OIDC_PROVIDERS.map((provider) => checkProvider(provider, database !== null)),
    );
    return [...missing.map(describeMissing), ...answers.flat()];
  },
};

const describeMissing = ({ issuer, companies }: { issuer: string; companies: number }) =>
  failing(
    `OIDC_PROVIDERS does not have ${issuer}, with which alone people of ${companies} companies sign in.`,
    'Add it, or let their owners choose another way. After a change of its issuer: notif provider move.',
    'provider-required',
  );

// A provider looks at the client before the code.
async function tryClient(configuration: oidc.Configuration, redirect: string): Promise<unknown> {
  const code = { code: 'notif-doctor', code_verifier: oidc.randomPKCECodeVerifier(), redirect_uri: redirect };
  const failure = await oidc.genericGrantRequest(configuration, 'authorization_code', code).catch((error) => error);
  const isAboutCode = failure instanceof oidc.ResponseBodyError && !/_client$/.test(failure.error);
  return isAboutCode ? null : failure;
}

async function sayLastLogout(issuer: string): Promise<string> {
  const last = await findLastLogout(issuer);
  return last
    ? `the last message came ${Math.round((Date.now() - last.getTime()) / 60_000)} minutes ago`
    : 'none came yet';
}

async function checkProvider(provider: OidcProvider, hasDatabase: boolean): Promise<Finding[]> {
  const { issuer } = provider;
  try {
    const configuration = await discover(provider);
    const facts = configuration.serverMetadata();
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
    const response = await fetchFor(provider)(String(facts.jwks_uri), options);
    const { keys = [] } = (await response.json()) as { keys?: unknown[] };
    const secondsOff = Math.round((Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000);
    const algorithms = facts.id_token_signing_alg_values_supported ?? ['RS256'];
    const redirect = redirectAddressOf(provider);
    const signOut = facts.end_session_endpoint
      ? `${new URL('/login', redirect)} for the way back from a sign-out`
      : 'no address for a sign-out, which it does not offer (end_session_endpoint)';
    const said = hasDatabase ? ` (${await sayLastLogout(issuer).catch(() => 'the database does not answer')})` : '';
    const logout = `${logoutAddressOf(provider)} for its logout messages, if it sends them${said}`;
    const problem = (sentence: string, cure: string, name: string) => failing(`${issuer} ${sentence}.`, cure, name);
    const findings = [
      ok(`${issuer} answers. Register there ${redirect} as the redirect address, ${signOut}, and ${logout}.`),
    ];
    const failure = await tryClient(configuration, redirect);
    if (failure) findings.push(describeFailure(failure, issuer));
    if (!algorithms.some((algorithm) => accepted.test(algorithm)))
      findings.push(problem(`signs with ${algorithms} only`, 'Choose RS256 or ES256 there.', 'provider-algorithm'));
    if (keys.length === 0) findings.push(problem('has no keys', 'Create a signing key there.', 'provider-keys'));
    if (Math.abs(secondsOff) > clockToleranceSeconds)
      findings.push(problem(`differs by ${secondsOff} s from this clock`, 'Correct the clocks.', 'provider-time'));
    return findings;
  } catch (error) {
    return [describeFailure(error, issuer)];
  }
}

function describeFailure(thrown: unknown, issuer: string): Finding {
  const { cause, meaning, error } = explainFailure(thrown, issuer);
  const sentence = `${issuer} cannot be used: ${meaning} (${error}).`;
  return failing(sentence, 'Correct OIDC_PROVIDERS, or the provider: docs/configuration.md.', `provider-${cause}`);
}
