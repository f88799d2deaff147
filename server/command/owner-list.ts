import { listAllOwners } from '#server/accounts/operator.ts';
import { chooseCompany, companyOption } from '#server/command/choose-company.ts';
import type { Command } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { asMinute, asTable } from '#server/command/table.ts';

/** `notif owner list`: who owns which company. */
export const command: Command = {
  words: [],
  about: 'List the owners and their usernames.',
  details: ['Without --company it lists the owners of all companies.'],
  options: companyOption,
  run: (given) =>
    withDatabase(async () => {
      const companyId = given.values.has('company') ? (await chooseCompany(given)).companyId : null;
      const owners = await listAllOwners({ kind: 'operator' }, companyId);
      const rows = owners.map(({ companyId: number, companyName, name, username, signedInAt }) => [
        username,
        name,
        `${companyName} (${number})`,
        asMinute(signedInAt),
      ]);
      const text =
        rows.length > 0 ? asTable(['USERNAME', 'NAME', 'COMPANY', 'LAST SIGN-IN'], rows) : 'There is no owner.\n';
      return { text, data: { owners } };
    }),
};
