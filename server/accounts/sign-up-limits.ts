import { asSubject, countAttempt, forgetAttempt } from '#server/accounts/attempts.ts';
import {
  maxCompaniesPerHour,
  maxJoinsPerAddressHour,
  maxJoinsPerLinkHour,
  maxNamesPerHour,
} from '#server/accounts/limits.ts';
import { addressGroup } from '#server/address-group.ts';

const hour = 60;
const companies = (address: string) => `companies\n${addressGroup(address)}`;

/**
 * Counts an attempt to create a company from an address. Returns the seconds to wait, or 0: of ten
 * attempts an hour, and of three new companies an hour. Call `returnSignUp` when none was created.
 */
export async function countSignUp(address: string): Promise<number> {
  const seconds = await countAttempt(`names\n${addressGroup(address)}`, maxNamesPerHour, hour);
  return seconds || countAttempt(companies(address), maxCompaniesPerHour, hour);
}

/** Takes back a company that was counted and not created. The attempt stays counted. */
export function returnSignUp(address: string): Promise<void> {
  return forgetAttempt(asSubject(companies(address)));
}

/**
 * Counts an attempt to choose a username with an invitation: ten an hour for one invitation.
 * Returns the seconds to wait, or 0.
 */
export function countNameChoice(token: string): Promise<number> {
  return countAttempt(`invitation\n${token}`, maxNamesPerHour, hour);
}

/**
 * Counts a request to join with a link, from an address. Returns the seconds to wait, or 0: of 60
 * requests an hour from one address, and of 120 an hour with one link.
 */
export async function countJoinRequest(link: { companyId: number; linkId: number }, address: string): Promise<number> {
  const seconds = await countAttempt(`join\n${addressGroup(address)}`, maxJoinsPerAddressHour, hour);
  return seconds || countAttempt(`join link\n${link.companyId}\n${link.linkId}`, maxJoinsPerLinkHour, hour);
}
