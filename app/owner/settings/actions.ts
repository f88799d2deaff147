'use server';

import { randomUUID } from 'node:crypto';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { getExportWords } from '#app/owner/settings/export-words.ts';
import { done, doneIf, doneOn, Id, label, refused, TimeZone } from '#app/ui/forms/fields.ts';
import {
  managerAction,
  ownerAction,
  reauthenticatedManagerAction,
  reauthenticatedOwnerAction,
} from '#app/ui/forms/guarded-action.ts';
import { env } from '#platform/config/settings.ts';
import { cancelOwnerInvitation, createOwnerLink, inviteOwner } from '#server/accounts/owners/owner-links.ts';
import {
  exchangeRights,
  leaveManagers,
  removeOwner,
  renameAccount,
  signOutOwner,
} from '#server/accounts/owners/owners.ts';
import { makeRecoveryCodes, requireSecondFactor } from '#server/accounts/owners/second-factor.ts';
import { changeIdleLimits, idleChoices } from '#server/accounts/sessions/sessions.ts';
import { nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import {
  allowAllMethods,
  findProviderRule,
  listReadiness,
  listUnconnected,
  requireProvider,
} from '#server/accounts/sign-in/only-provider.ts';
import { endCurrentSession } from '#server/accounts/sign-in/require.ts';
import {
  changeRetention,
  countTooOld,
  editCompany,
  findRetention,
  notificationDays,
  rejectedRequestDays,
} from '#server/companies/companies.ts';
import { changeEmbedOrigins, changeLinkBase } from '#server/companies/link-base.ts';
import { removeLogo } from '#server/companies/logo.ts';
import { createExport } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';
import { maxChosenPeople } from '#server/sends/store.ts';

export const changeCompanyAction = ownerAction(
  z.object({ companyName: label(120), timeZone: TimeZone }),
  async (owner, input) => done(await editCompany(owner, input)),
);

export const renameAccountAction = managerAction(z.object({ name: label(120) }), async (manager, { name }) =>
  done(await renameAccount(manager, name)),
);

const changed = (field: string, outcome: string) =>
  outcome === 'changed' || outcome === 'unchanged' ? done(outcome) : refused({ [field]: outcome });

/** Changes where the links of notifications lead; an empty text is nowhere. */
export const changeLinkBaseAction = reauthenticatedOwnerAction(
  z.object({ linkBase: z.string().max(300) }),
  async (owner, { linkBase }) => changed('linkBase', await changeLinkBase(owner, linkBase)),
);

/** Changes which pages may show the bell: their addresses, one in a line. */
export const changeEmbedOriginsAction = reauthenticatedOwnerAction(
  z.object({ embedOrigins: z.string().max(3000) }),
  async (owner, { embedOrigins }) => changed('embedOrigins', await changeEmbedOrigins(owner, embedOrigins)),
);

export const removeLogoAction = ownerAction(z.null(), async (owner) => done(await removeLogo(owner)));

const RetentionInput = z.object({
  notifications: z.union([z.literal(''), z.enum(notificationDays.map(String))]),
  refusals: z.enum(rejectedRequestDays.map(String)),
  agreed: z.boolean(),
});

/** Changes how long data is kept. A shorter time needs `agreed`; without it, `agree` is how many would go. */
export const changeRetentionAction = ownerAction(RetentionInput, async (owner, { notifications, refusals, agreed }) => {
  const days = notifications === '' ? null : Number(notifications);
  const daysBefore = (await findRetention(owner)).keepNotificationsDays ?? Number.POSITIVE_INFINITY;
  if (!agreed && days !== null && days < daysBefore) return refused({ agree: String(await countTooOld(owner, days)) });
  return done(await changeRetention(owner, { keepNotificationsDays: days, keepRefusalsDays: Number(refusals) }));
});

const asChoice = (minutes: readonly number[]) =>
  z.enum(['', ...minutes.map(String)]).transform((choice) => (choice === '' ? null : Number(choice)));

/** Changes when sessions without activity end; an empty choice is never. */
export const changeIdleLimitsAction = reauthenticatedOwnerAction(
  z.object({ managers: asChoice(idleChoices.managers), employees: asChoice(idleChoices.employees) }),
  async (owner, { managers, employees }) =>
    done(await changeIdleLimits(owner, { managersIdleMinutes: managers, employeesIdleMinutes: employees })),
);

/** Starts an export of all data of the company. Returns its id. */
export const createExportAction = reauthenticatedOwnerAction.within('export')(z.object({}), async (owner) =>
  done(await createExport(owner, await getExportWords(owner))),
);

/** Reminds people without this provider, up to `maxChosenPeople`, in the words of the settings page. */
export const remindToConnectAction = ownerAction.within('broadcast')(
  z.object({ issuer: z.string().max(1000) }),
  async (owner, { issuer }) => {
    const { issuers } = await findProviderRule(owner);
    const unconnected = issuers.includes(issuer) ? listUnconnected(await listReadiness(owner, issuer, 0)) : [];
    if (unconnected.length === 0) return refused({ form: 'nobody-left' });
    const t = await getTranslations('identities.people');
    const provider = nameOfIssuer(issuer);
    const text = { title: t('reminderTitle', { provider }), body: t('reminderBody', { provider }), url: null };
    const recipients = { to: 'people' as const, employeeIds: unconnected.slice(0, maxChosenPeople) };
    const sending = { draftId: randomUUID(), mustConfirm: false, kind: 'info' as const };
    const outcome = await sendManually(owner, { ...text, ...sending, recipients });
    return doneIf(typeof outcome !== 'string', 'nobody-left');
  },
);

/** Decides with which provider alone people sign in; with an empty `issuer`, with everything they have. */
export const changeProviderRuleAction = reauthenticatedOwnerAction(
  z.object({ issuer: z.string().max(1000), fallbackAccountId: z.int() }),
  async (owner, rule) =>
    doneOn('changed', await (rule.issuer === '' ? allowAllMethods(owner) : requireProvider(owner, rule))),
);

const linkTo = (link: { token: string } | string, name = '') =>
  typeof link === 'string' ? refused({ form: link }) : done({ name, link: `${env().APP_URL}/invite/${link.token}` });

/** Invites a new owner or manager by name. The result holds name and link, which is stored nowhere. */
export const inviteOwnerAction = reauthenticatedOwnerAction.within('invitation')(
  z.object({ name: label(120), rights: z.enum(['owner', 'manager']) }),
  async (owner, { name, rights }) => linkTo(await inviteOwner(owner, name, rights), name),
);

export const cancelOwnerInvitationAction = reauthenticatedOwnerAction(
  z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  async (owner, { id }) => doneOn('cancelled', await cancelOwnerInvitation(owner, id)),
);

/** Makes a link for a new password of another owner or a manager. The link is stored nowhere. */
export const createOwnerLinkAction = reauthenticatedOwnerAction.within('invitation')(
  z.object({ id: Id }),
  async (owner, { id }) => linkTo(await createOwnerLink(owner, id)),
);

const changes = {
  signOut: signOutOwner,
  promote: (owner: Owner, id: number) => exchangeRights(owner, id, 'owner'),
  demote: (owner: Owner, id: number) => exchangeRights(owner, id, 'manager'),
  remove: (owner: Owner, id: number) => (id === owner.accountId ? 'no-such-owner' : removeOwner(owner, id)),
  removeManager: (owner: Owner, id: number) => removeOwner(owner, id, 'manager'),
};

/** Ends all sessions of another owner or a manager, or changes their rights. */
export const changeOwnerAction = reauthenticatedOwnerAction(
  z.object({ id: Id, change: z.enum(['signOut', 'promote', 'demote', 'remove', 'removeManager']) }),
  async (owner, { id, change }) => {
    const outcome = await changes[change](owner, id);
    return doneIf(['signed-out', 'exchanged', 'removed'].includes(outcome), outcome);
  },
);

const leave = async (hasLeft: boolean, problem: string) => {
  if (hasLeft) await endCurrentSession();
  return doneIf(hasLeft, problem);
};

export const leaveManagersAction = reauthenticatedManagerAction(z.null(), async (manager) =>
  leave((await leaveManagers(manager)) !== 'not-manager', 'session-ended'),
);

export const leaveOwnersAction = reauthenticatedOwnerAction(z.null(), async (owner) => {
  const outcome = await removeOwner(owner, owner.accountId);
  return leave(outcome === 'removed', outcome);
});

/** Makes new recovery codes. The result holds them; only their hashes are stored. */
export const makeRecoveryCodesAction = reauthenticatedOwnerAction(z.null(), async (owner) =>
  done(await makeRecoveryCodes(owner)),
);

/** Requires a second factor of owners and managers from a day; without `day`, no longer. */
export const requireSecondFactorAction = reauthenticatedOwnerAction(
  z.object({ day: z.union([z.literal(''), z.iso.date('invalid')]) }),
  async (owner, { day }) => {
    const outcome = await requireSecondFactor(owner, day || null);
    return outcome === 'passkey-first' ? refused({ day: outcome }) : done(null);
  },
);
