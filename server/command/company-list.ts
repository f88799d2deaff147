import { listCompanies } from '#server/accounts/operator.ts';
import type { Command } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { asMinute, asTable } from '#server/command/table.ts';

/** `notif company list`: the companies and their numbers. */
export const command: Command = {
  words: [],
  about: 'List the companies, with their numbers.',
  run: () =>
    withDatabase(async () => {
      const companies = await listCompanies({ kind: 'operator' });
      const rows = companies.map(({ companyId, name, owners, people, createdAt }) => [
        String(companyId),
        name,
        String(owners),
        String(people),
        asMinute(createdAt),
      ]);
      const text =
        rows.length > 0 ? asTable(['NUMBER', 'NAME', 'OWNERS', 'PEOPLE', 'SINCE'], rows) : 'No company exists yet.\n';
      return { text, data: { companies } };
    }),
};
