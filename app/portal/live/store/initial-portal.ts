import type { InitialPortal } from '#app/portal/live/store/portal-state.ts';
import { findPreferences } from '#server/inbox/preferences.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Employee, Session } from '#server/principals.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';

/** Finds what the listener of an employee, or a bell, begins with. */
export async function findInitialPortal({ lastNo, linkBase }: Session, employee: Employee): Promise<InitialPortal> {
  const [unread, preferences] = await Promise.all([countUnread(employee), findPreferences(employee)]);
  const { companyId, employeeId, timeZone } = employee;
  const person = `${companyId}:${employeeId}`;
  return { person, timeZone, newest: lastNo, pushKey: vapidPublicKey(), unread, preferences, linkBase };
}
