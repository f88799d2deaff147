import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import type { Employee } from '#server/principals.ts';

export async function makePlace(keyName: string) {
  const company = await makeCompany();
  const employee = await company.hire();
  return { company, employee, key: await company.newKey(keyName) };
}

/** Reads an employee's notifications and the audit entries of the company's sends, in the order of sending. */
export async function readTraces(company: Company, employee: Employee) {
  const { items } = await listInbox(employee);
  const { entries } = await listAudit(company.owner);
  const sends = entries.filter(({ action, actorKind }) => action === 'notification.send' && actorKind === 'key');
  return {
    inbox: items.map(({ title, body }) => ({ title, body: body ?? '' })).reverse(),
    audit: sends.map(({ actorName, details }) => ({ key: actorName, title: details.title })).reverse(),
  };
}

/** Sends these fields and returns the refusal's sentence, in Indonesian. */
export async function refusalOf(key: string, fields: object): Promise<string> {
  const response = await fetch(`${process.env.SERVICE_URL}/api/v1/notif.php`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Accept-Language': 'id' },
    body: JSON.stringify(fields),
  });
  return ((await response.json()) as { error: string }).error;
}
