import { findGuessing, type Guessing } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { type Alarm, listAlarms } from '#server/keys/alarms.ts';
import type { Owner } from '#server/principals.ts';

/** An alarm as JSON: its time is text. */
export type ShownAlarm = Omit<Alarm, 'at'> & Alarm & { at: string | null };

/** The active alarms of a company, and whether someone guesses passwords, as JSON. */
export type ActiveAlarms = { alarms: ShownAlarm[]; guessing: (Omit<Guessing, 'since'> & { since: string }) | null };

export async function findActiveAlarms(owner: Owner): Promise<ActiveAlarms> {
  const [alarms, guessing] = await Promise.all([listAlarms(owner), findGuessing(owner)]);
  return JSON.parse(JSON.stringify({ alarms, guessing }));
}
