'use server';

import { z } from 'zod';
import { exportWords } from '#app/owner/settings/export/words.ts';
import { done, label, refused, TimeZone } from '#app/ui/forms/fields.ts';
import { ownerAction, provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { editCompany } from '#server/companies/companies.ts';
import {
  changeRetention,
  countTooOld,
  findRetention,
  notificationDays,
  refusalDays,
} from '#server/companies/retention.ts';
import { createExport } from '#server/exports/exports.ts';

/** Changes the names of the company and of the owner, and the time zone. */
export const editCompanyAction = ownerAction(
  z.object({ companyName: label(120), timeZone: TimeZone, ownerName: label(120) }),
  async (owner, wanted) => done(await editCompany(owner, wanted)),
);

const RetentionInput = z.object({
  notifications: z.union([z.literal(''), z.enum(notificationDays.map(String))]),
  refusals: z.enum(refusalDays.map(String)),
  agreed: z.boolean(),
});

/** Changes how long things are kept. Keeping notifications shorter is first answered with how many would go (`agree`). */
export const changeRetentionAction = ownerAction(RetentionInput, async (owner, { notifications, refusals, agreed }) => {
  const wanted = {
    keepNotificationsDays: notifications === '' ? null : Number(notifications),
    keepRefusalsDays: Number(refusals),
  };
  const before = (await findRetention(owner)).keepNotificationsDays ?? Number.POSITIVE_INFINITY;
  const shorter = wanted.keepNotificationsDays !== null && wanted.keepNotificationsDays < before;
  if (shorter && !agreed)
    return refused({ agree: String(await countTooOld(owner, wanted.keepNotificationsDays ?? 0)) });
  return done(await changeRetention(owner, wanted));
});

/** Begins a copy of everything; answers where it can be watched. */
export const createExportAction = provedOwnerAction(z.object({}), async (owner) =>
  done(await createExport(owner, await exportWords(owner))),
);
