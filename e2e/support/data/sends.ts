import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Company, must } from '#e2e/support/data/company.ts';
import { confirmNotification } from '#server/inbox/read-state.ts';
import type { Employee, Session } from '#server/principals.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

export const toEveryone = { recipients: { to: 'everyone' } } as const;
export const toOne = (employeeId: number) => ({ recipients: { to: 'one', employeeId } }) as const;
export const toRoles = (...roles: string[]) => ({ recipients: { to: 'roles' as const, roles } });
export const toPeople = (...employeeIds: number[]) => ({ recipients: { to: 'people' as const, employeeIds } });
/** What a program sends, to everyone. */
export const keyDraft = { ...toEveryone, title: 'Judul', body: 'Isi', kind: 'info', url: null } as const;
/** What a person sends, to everyone. */
export const content = { ...keyDraft, mustConfirm: false, answers: null } as const;
/** What a person sends, to everyone, with an id of its own. */
export const aDraft = <More extends object>(more = {} as More) => ({ ...content, draftId: randomUUID(), ...more });

/** Sends 25 at once, then one every 400 ms for so long (ms). Returns when it began (`performance.now()`). */
export async function sendSteadily(company: Company, forMs: number): Promise<number> {
  const began = performance.now();
  for (let sent = 0; sent < 25; sent++) await writeManualDraft(company, { title: `Sekaligus ${sent}` });
  while (performance.now() - began < forMs) {
    await writeManualDraft(company, { title: `Terus ${Math.round(performance.now() - began)}` });
    await sleep(400);
  }
  return began;
}

/** Sends as the owner of a company and returns the number of the send. */
export async function writeManualDraft(company: Company, changes: object = {}): Promise<number> {
  return must(await sendManually(company.owner, aDraft(changes))).no;
}

/** Confirms a notification as an employee, or gives its answer. */
export const confirmAs = (employee: Employee, no: number, answer: number | null = null) => {
  const session = { employee, account: { ...employee, accountId: 1 } };
  return confirmNotification(session as unknown as Session & { employee: Employee }, no, answer);
};
