'use server';

import { notFound } from 'next/navigation';
import { z } from 'zod';
import { currentLanguage } from '#app/i18n.ts';
import {
  done,
  label,
  NewPassword,
  problemsOf,
  type Result,
  refused,
  TimeZone,
  Username,
} from '#app/ui/forms/fields.ts';
import { checkSecret } from '#server/accounts/accounts.ts';
import { currentAddress, isOwnRequest, startSession } from '#server/accounts/require.ts';
import { createCompany, hasOwner } from '#server/companies/companies.ts';
import { isSetupCode } from '#server/companies/setup-code.ts';
import { env } from '#server/env.ts';

const CompanyInput = z.object({
  code: z.string().max(100).default(''),
  companyName: label(120),
  timeZone: TimeZone,
});
const SetupInput = CompanyInput.extend({
  ownerName: label(120),
  username: Username,
  password: NewPassword,
});

// Only while somebody may set a company up; without sign-up the code of the log is asked for.
async function checkCode(code: string): Promise<{ problems: Record<string, string> } | null> {
  if (env().SIGN_UP === 'open') return null;
  if (await hasOwner()) notFound();
  const checked = await checkSecret('set-up code', isSetupCode(code), await currentAddress());
  if (checked === 'right') return null;
  return checked === 'wrong' ? refused({ code: 'codeWrong' }) : refused({ form: `wait:${checked.waitSeconds}` });
}

/** Checks the first step, before the person goes on to the second. */
export async function checkCompanyAction(input: Record<string, string>): Promise<Result<null>> {
  if (!(await isOwnRequest())) return refused({ form: 'failed' });
  const parsed = CompanyInput.safeParse(input);
  if (!parsed.success) return problemsOf(parsed.error);
  return (await checkCode(parsed.data.code)) ?? done(null);
}

/** Makes a company and its owner, who is signed in then. The first one needs the code of the server's log. */
export async function setupAction(input: Record<string, string>): Promise<Result<null>> {
  if (!(await isOwnRequest())) return refused({ form: 'failed' });
  const parsed = SetupInput.safeParse(input);
  if (!parsed.success) return problemsOf(parsed.error);
  const { code, ...wanted } = parsed.data;
  const problem = await checkCode(code);
  if (problem) return problem;
  const owner = await createCompany(
    { ...wanted, language: await currentLanguage() },
    { onlyFirst: env().SIGN_UP !== 'open' },
  );
  if (owner === 'duplicate-username') return refused({ username: 'duplicateUsername' });
  if (owner === 'already-set-up') return refused({ form: 'done' });
  await startSession({ companyId: owner.companyId, accountId: owner.accountId, sessionVersion: 1 });
  return done(null);
}
