'use server';

import { notFound } from 'next/navigation';
import { z } from 'zod';
import { currentLanguage } from '#app/language/i18n.ts';
import {
  done,
  type FormRefusal,
  label,
  NewPassword,
  refused,
  slowedDown,
  TimeZone,
  Username,
} from '#app/ui/forms/fields.ts';
import { publicAction } from '#app/ui/forms/guarded-action.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { env } from '#platform/config/settings.ts';
import { countUse, forgetUse } from '#server/accounts/sign-in/limits.ts';
import { currentAddress, startSession } from '#server/accounts/sign-in/require.ts';
import { checkSecret } from '#server/accounts/sign-in/sign-in.ts';
import { createCompany, hasOwner, isSetupCode } from '#server/companies/companies.ts';

const SetupInput = z.object({
  code: z.string().max(100).default(''),
  companyName: label(120),
  timeZone: TimeZone,
  ownerName: label(120),
  username: Username,
  password: NewPassword,
});

// With SIGN_UP=open everyone may set a company up, otherwise who knows the code of the log, and only the first one.
async function checkCode(code: string): Promise<FormRefusal | null> {
  if (env().SIGN_UP === 'open') return null;
  if (await hasOwner()) notFound();
  const checked = await checkSecret('set-up code', isSetupCode(code), await currentAddress());
  if (checked === 'right') return null;
  return checked === 'wrong' ? refused({ code: 'codeWrong' }) : slowedDown(checked);
}

export const setupAction = publicAction(SetupInput, async ({ code, ...wanted }) => {
  const problem = await checkCode(code);
  if (problem) return problem;
  const isOpen = env().SIGN_UP === 'open';
  const from = { address: addressGroup(await currentAddress()) };
  const waitSeconds = isOpen ? (await countUse('signUp', from)) || (await countUse('newCompany', from)) : 0;
  if (waitSeconds > 0) return slowedDown({ waitSeconds });
  const language = await currentLanguage();
  const owner = await createCompany({ ...wanted, language }, { onlyFirst: !isOpen }).catch(async (error: unknown) => {
    if (isOpen) await forgetUse('newCompany', from);
    throw error;
  });
  if (isOpen && typeof owner === 'string') await forgetUse('newCompany', from);
  if (owner === 'duplicate-username') return refused({ username: 'duplicateUsername' });
  if (owner === 'common-password' || owner === 'own-name') return refused({ password: owner });
  if (owner === 'already-set-up') return refused({ form: 'done' });
  await startSession({ companyId: owner.companyId, accountId: owner.accountId, sessionVersion: 1 });
  return done(null);
});
