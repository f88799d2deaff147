import { endSessionsOfAccount, endSessionsOfCompany, listCompanies } from '#server/accounts/operator.ts';
import { chooseCompany, companyOption } from '#server/command/choose-company.ts';
import { type Command, CommandError, type Outcome, UsageError } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import type { Operator } from '#server/principals.ts';

const operator: Operator = { kind: 'operator' };

/** `notif sessions end`: signs people out. */
export const command: Command = {
  words: ['[USERNAME]'],
  about: 'Sign out one person, everyone of a company, or everyone.',
  details: [
    `Name exactly one: USERNAME, --company COMPANY, or --all. Open portals close at once, and devices receive nothing
more until the person signs in again. Passwords, keys and invitations stay valid. The audit log of each company names
the operator.`,
  ],
  options: { ...companyOption, all: { description: 'everyone of all companies' } },
  run: async (given) => {
    const [username] = given.words;
    const isAll = given.flags.has('all');
    const named = [username !== undefined, given.values.has('company'), isAll].filter(Boolean).length;
    if (named !== 1) throw new UsageError('Name exactly one: USERNAME, --company COMPANY, or --all.');
    return withDatabase(() => {
      if (username !== undefined) return endOfAccount(username.trim());
      return isAll ? endOfAll() : endOfCompany(given);
    });
  },
};

const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`);

async function endOfAccount(username: string): Promise<Outcome> {
  const ended = await endSessionsOfAccount(operator, username);
  if (ended === 'no-such-account') throw new CommandError(ended, `There is no account with the username ${username}.`);
  const { name, companyName, sessions } = ended;
  return { text: `${count(sessions)} of ${name} (${companyName}) ended.\n`, data: { ...ended } };
}

async function endOfCompany(given: Parameters<typeof chooseCompany>[0]): Promise<Outcome> {
  const company = await chooseCompany(given);
  const { sessions } = await endSessionsOfCompany(operator, company);
  return {
    text: `${count(sessions)} of ${company.name} ended.\n`,
    data: { companyId: company.companyId, companyName: company.name, sessions },
  };
}

// One transaction for each company: none waits for another, and what was done stays done.
async function endOfAll(): Promise<Outcome> {
  let [sessions, companies] = [0, 0];
  for (const company of await listCompanies(operator)) {
    const ended = await endSessionsOfCompany(operator, company);
    sessions += ended.sessions;
    companies += ended.sessions > 0 ? 1 : 0;
  }
  const of = companies === 1 ? '1 company' : `${companies} companies`;
  return { text: `${count(sessions)} of ${of} ended.\n`, data: { sessions, companies } };
}
