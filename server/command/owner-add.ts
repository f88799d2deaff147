import { inviteOwnerAsOperator } from '#server/accounts/operator.ts';
import { operatorLinkMinutes } from '#server/accounts/owner-links.ts';
import { chooseCompany, companyOption } from '#server/command/choose-company.ts';
import { type Command, CommandError, UsageError } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { programName } from '#server/env.ts';

const maxNameLength = 120;

/** `notif owner add`: a link for a new owner. */
export const command: Command = {
  words: ['NAME'],
  about: 'Print a link with which a new owner of a company joins.',
  details: [
    `NAME is the name of the person, in quotes when it has spaces. The person who opens the link chooses the username and the
password. It can be used once, within ${operatorLinkMinutes} minutes. The owners of the company see the invitation in their
settings, where they can cancel it, and in the audit log.`,
    'With several companies, --company names one.',
  ],
  options: companyOption,
  run: async (given) => {
    const name = (given.words[0] ?? '').trim();
    if (name === '' || name.length > maxNameLength) throw new UsageError(`NAME has 1 to ${maxNameLength} characters.`);
    return withDatabase(async ({ appUrl, isStopped }) => {
      const company = await chooseCompany(given);
      const made = await inviteOwnerAsOperator({ kind: 'operator' }, { ...company, name });
      if (made === 'too-many')
        throw new CommandError(made, `${company.name} has too many open invitations; an owner can cancel some.`);
      const link = `${appUrl}/invite/${made.token}`;
      return {
        text: `An invitation for ${name}, as an owner of ${company.name}. It can be used once, within ${operatorLinkMinutes} minutes.
Give it to ${name} only. The person who opens it chooses the username and the password.

  ${link}
${isStopped ? `\nThe service is not running. Start it first: ${programName()} start\n` : ''}`,
        data: {
          name,
          companyId: company.companyId,
          companyName: company.name,
          link,
          minutes: operatorLinkMinutes,
          isServiceStopped: isStopped,
        },
      };
    });
  },
};
