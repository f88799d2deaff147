import { findCompany } from '#server/accounts/operator.ts';
import { CommandError, type Given } from '#server/command/command.ts';
import { programName } from '#server/env.ts';

/** The option that names a company. */
export const companyOption = {
  company: { value: 'COMPANY', description: 'the company, by its number or its name' },
};

/**
 * The company that `--company` names; without it, the only one. Throws `CommandError` when there is
 * none or several.
 */
export async function chooseCompany({ values }: Given): Promise<{ companyId: number; name: string }> {
  const asked = values.get('company') ?? null;
  const found = await findCompany({ kind: 'operator' }, asked);
  const list = `\`${programName()} company list\` shows all.`;
  if (found === 'no-such-company')
    throw new CommandError(found, asked === null ? 'No company exists yet.' : `There is no company ${asked}. ${list}`);
  if (found === 'several')
    throw new CommandError(
      'several-companies',
      asked === null
        ? `There are several companies; name one with --company. ${list}`
        : `Several companies are called ${asked}; give the number of one. ${list}`,
    );
  return found;
}
