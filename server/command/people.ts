import { programName } from '#platform/config/processes.ts';
import { env } from '#platform/config/settings.ts';
import {
  createOperatorLink,
  endSessionsOfAccount,
  endSessionsOfCompany,
  inviteOwnerAsOperator,
  listAllOwners,
  moveIssuer,
} from '#server/accounts/owners/operator.ts';
import { operatorLinkMinutes } from '#server/accounts/owners/owner-links.ts';
import { asMinute, type Command, CommandError, type Input, type Outcome, UsageError } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { findCompany, listCompanies } from '#server/companies/companies.ts';
import type { Operator } from '#server/principals.ts';

const operator: Operator = { kind: 'operator' };
const companyOption: Command['options'] = {
  company: { type: 'string', value: 'COMPANY', description: 'the company, by its number or its name' },
};

export const companyList: Command = {
  words: [],
  about: 'List the companies, with their numbers.',
  run: () =>
    withDatabase(async () => {
      const companies = await listCompanies(operator);
      const rows = companies.map((one) => [one.companyId, one.name, one.owners, one.people, asMinute(one.createdAt)]);
      const table = asTable(['NUMBER', 'NAME', 'OWNERS', 'PEOPLE', 'SINCE'], rows);
      return { text: table ?? 'No company exists yet.\n', data: { companies } };
    }),
};

export const ownerList: Command = {
  words: [],
  about: 'List the owners and their usernames.',
  details: ['Without --company it lists the owners of all companies.'],
  options: companyOption,
  run: (input) =>
    withDatabase(async () => {
      const companyId = input.options.company !== undefined ? (await chooseCompany(input)).companyId : null;
      const owners = await listAllOwners(operator, companyId);
      const rows = owners.map((owner) => {
        const company = `${owner.companyName} (${owner.companyId})`;
        return [owner.username, owner.name, company, asMinute(owner.signedInAt)];
      });
      const table = asTable(['USERNAME', 'NAME', 'COMPANY', 'LAST SIGN-IN'], rows);
      return { text: table ?? 'There is no owner.\n', data: { owners } };
    }),
};

const maxNameLength = 120;

export const ownerAdd: Command = {
  words: ['NAME'],
  about: 'Print a link with which a new owner of a company joins.',
  details: [
    `NAME is the name of the person, in quotes when it has spaces. The person who opens the link chooses
the username and the password. It can be used once, within ${operatorLinkMinutes} minutes. The owners of the company
see the invitation in their settings, where they can cancel it, and in the audit log.`,
    'With several companies, --company names one.',
  ],
  options: companyOption,
  run: async (input) => {
    const name = (input.words[0] ?? '').trim();
    if (name === '' || name.length > maxNameLength) throw new UsageError(`NAME has 1 to ${maxNameLength} characters.`);
    return withDatabase(async (appUrl) => {
      const company = await chooseCompany(input);
      const invitation = await inviteOwnerAsOperator(operator, { ...company, name });
      if (invitation === 'too-many')
        throw new CommandError(invitation, `${company.name} has too many open invitations; an owner can cancel some.`);
      const about = { name, companyId: company.companyId, companyName: company.name };
      return linkOutcome(appUrl, invitation.token, about, [
        `An invitation for ${name}, as an owner of ${company.name}.`,
        'The person who opens it chooses the username and the password.',
      ]);
    });
  },
};

export const ownerReset: Command = {
  words: ['USERNAME'],
  about: 'Print a link with which a locked-out owner chooses a new password.',
  details: [
    `The link can be used once, within ${operatorLinkMinutes} minutes. Their old sessions end then. First make sure who\nasks, because the person who opens the link chooses the password. The audit log of the company names\nthe operator.`,
  ],
  run: ({ words: [username = ''] }) =>
    withDatabase(async (appUrl) => {
      const result = await createOperatorLink(operator, username.trim());
      if (result === 'no-such-account')
        throw new CommandError(result, `There is no account with the username ${username}.`);
      if (result === 'not-an-owner')
        throw new CommandError(
          result,
          `${username} is not an owner. An owner of the company makes a new sign-in link for an employee or a manager.`,
        );
      const { name, companyName, token } = result;
      return linkOutcome(appUrl, token, { name, companyName }, [
        `A link for ${name}, owner of ${companyName}.`,
        'The person who opens it chooses the password.',
      ]);
    }),
};

function linkOutcome(
  appUrl: string,
  token: string,
  about: { name: string; companyName: string },
  [what, choice]: [string, string],
): Outcome {
  const link = `${appUrl}/invite/${token}`;
  return {
    text: `${what} It can be used once, within ${operatorLinkMinutes} minutes.
Give it to ${about.name} only. ${choice}

  ${link}
`,
    data: { ...about, link, minutes: operatorLinkMinutes },
  };
}

export const sessionsEnd: Command = {
  words: ['[USERNAME]'],
  about: 'Sign out one person, everyone of a company, or everyone.',
  details: [
    `Name exactly one: USERNAME, --company COMPANY, or --all. Open portals close at once, and devices
receive nothing more until the person signs in again. Passwords, keys and invitations stay valid.
The audit log of each company names the operator.`,
  ],
  options: { ...companyOption, all: { type: 'boolean', description: 'everyone of all companies' } },
  run: async (input) => {
    const [username] = input.words;
    const isAll = input.options.all === true;
    const choices = [username !== undefined, input.options.company !== undefined, isAll].filter(Boolean).length;
    if (choices !== 1) throw new UsageError('Name exactly one: USERNAME, --company COMPANY, or --all.');
    return withDatabase(() => {
      if (username !== undefined) return endOfAccount(username.trim());
      return isAll ? endOfAll() : endOfCompany(input);
    });
  },
};

export const providerMove: Command = {
  words: ['OLD', 'NEW'],
  about: 'Move the connections of a provider to its new issuer.',
  details: [
    `For a provider that calls itself by another issuer now (https instead of http, a new host) and
knows the same people by the same subjects. NEW must be in OIDC_PROVIDERS. Without --apply it only
says what it would move. The audit log of each company names the operator.`,
  ],
  options: { apply: { type: 'boolean', description: 'move them' } },
  run: ({ words: [from = '', to = ''], options }) =>
    withDatabase(async () => {
      if (from === to) throw new UsageError('OLD and NEW are the same.');
      if (!env().OIDC_PROVIDERS.some(({ issuer }) => issuer === to))
        throw new CommandError('no-such-provider', `${to} is not an issuer in OIDC_PROVIDERS.`);
      const apply = options.apply === true;
      const companies = await moveIssuer(operator, { from, to, apply });
      const rows = companies.map(({ companyId, name, identities, taken }) => [companyId, name, identities, taken]);
      const next = apply ? 'Moved.\n' : 'Nothing was changed. Add --apply to move them.\n';
      const table = asTable(['NUMBER', 'NAME', 'MOVE', 'STAY'], rows);
      return { text: table ? table + next : `Nobody is connected with ${from}.\n`, data: { apply, companies } };
    }),
};

const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`);

async function endOfAccount(username: string): Promise<Outcome> {
  const ended = await endSessionsOfAccount(operator, username);
  if (ended === 'no-such-account') throw new CommandError(ended, `There is no account with the username ${username}.`);
  return { text: `${count(ended.sessions)} of ${ended.name} (${ended.companyName}) ended.\n`, data: { ...ended } };
}

async function endOfCompany(input: Input): Promise<Outcome> {
  const company = await chooseCompany(input);
  const { companyId, name: companyName } = company;
  const { sessions } = await endSessionsOfCompany(operator, company);
  return { text: `${count(sessions)} of ${companyName} ended.\n`, data: { companyId, companyName, sessions } };
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

// The company that `--company` names, or the only one. Throws when there is none or several.
async function chooseCompany({ options: { company } }: Input): Promise<{ companyId: number; name: string }> {
  const nameOrNumber = company === undefined ? null : String(company);
  const result = await findCompany(operator, nameOrNumber);
  const list = `\`${programName()} company list\` shows all.`;
  if (result === 'no-such-company') {
    const problem = nameOrNumber === null ? 'No company exists yet.' : `There is no company ${nameOrNumber}. ${list}`;
    throw new CommandError(result, problem);
  }
  if (result === 'several') {
    const several = `Several companies are called ${nameOrNumber}; give the number of one.`;
    const problem = nameOrNumber === null ? 'There are several companies; name one with --company.' : several;
    throw new CommandError('several-companies', `${problem} ${list}`);
  }
  return result;
}

// Lines of a table for a terminal: each column as wide as its widest text, two spaces between. Null without rows.
function asTable(headings: string[], rows: (string | number)[][]): string | null {
  if (rows.length === 0) return null;
  // A name must not move the cursor of the terminal.
  const all = [headings, ...rows].map((row) => row.map((text) => String(text).replaceAll(/\p{Cc}/gu, ' ')));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const asLine = (row: string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => `${asLine(row).trimEnd()}\n`).join('');
}
