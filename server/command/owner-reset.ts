import { createOperatorLink, operatorLinkMinutes } from '#server/accounts/owner-links.ts';
import { type Command, CommandError } from '#server/command/command.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { programName } from '#server/env.ts';

/** `notif owner reset`: a link for an owner who is locked out. */
export const command: Command = {
  words: ['USERNAME'],
  about: 'Print a link with which a locked-out owner chooses a new password.',
  details: [
    `The link can be used once, within ${operatorLinkMinutes} minutes. Their old sessions end then. First make sure who asks, because\nthe person who opens the link chooses the password. The audit log of the company names the operator.`,
  ],
  run: ({ words: [username = ''] }) =>
    withDatabase(async ({ appUrl, isStopped }) => {
      const made = await createOperatorLink(username.trim());
      if (made === 'no-such-account')
        throw new CommandError(made, `There is no account with the username ${username}.`);
      if (made === 'not-an-owner')
        throw new CommandError(
          made,
          `${username} is not an owner. An owner of the company makes a new sign-in link for an employee or a manager.`,
        );
      const { name, companyName, token } = made;
      const link = `${appUrl}/invite/${token}`;
      return {
        text: `A link for ${name}, owner of ${companyName}. It can be used once, within ${operatorLinkMinutes} minutes.
Give it to ${name} only. The person who opens it chooses the password.

  ${link}
${isStopped ? `\nThe service is not running. Start it first: ${programName()} start\n` : ''}`,
        data: { name, companyName, link, minutes: operatorLinkMinutes, isServiceStopped: isStopped },
      };
    }),
};
