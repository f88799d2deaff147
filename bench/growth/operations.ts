import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '#e2e/support/service/service.ts';

/** Sessions, keys and ids of one company that the operations use. */
export type Actors = {
  url: string;
  owner: string;
  employee: string;
  key: () => string;
  employeeId: number;
  keyId: number;
  lastNo: number;
  broadcast: number;
  confirmable: number;
  requestId: string;
  entry: number;
};

/**
 * A page or operation: its name, its request, and how often it is repeated (9 times by default).
 */
export type Operation = { name: string; ask: (actors: Actors) => Promise<Response>; rounds?: number };

const day = (ago: number) => new Date(Date.now() - ago * 24 * 3600 * 1000).toISOString().slice(0, 10);

const page = (
  name: string,
  path: string | ((actors: Actors) => string),
  who: 'owner' | 'employee',
  rounds?: number,
) => ({
  name,
  rounds,
  ask: (actors: Actors) =>
    fetch(actors.url + (typeof path === 'string' ? path : path(actors)), {
      headers: { Cookie: who === 'owner' ? actors.owner : actors.employee },
      redirect: 'manual',
    }),
});

const call = (name: string, query: string, body?: (actors: Actors) => object, rounds?: number): Operation => ({
  name,
  rounds,
  ask: (actors) =>
    fetch(`${actors.url}/api/v1/notif.php${query}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-API-Key': actors.key(), ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body(actors)),
    }),
});

const actionIds = (async () => {
  const manifest = await readFile(join(root, '.next', 'server', 'server-reference-manifest.json'), 'utf8');
  const { node } = JSON.parse(manifest) as { node: Record<string, { exportedName: string }> };
  return new Map(Object.entries(node).map(([id, { exportedName }]) => [exportedName, id]));
})();

// Calls a server action as the browser does: by its id, with one argument.
const action = (
  name: string,
  exported: string,
  path: string | ((actors: Actors) => string),
  input: (actors: Actors) => object,
  rounds?: number,
): Operation => ({
  name,
  rounds,
  ask: async (actors) => {
    const on = typeof path === 'string' ? path : path(actors);
    return fetch(actors.url + on, {
      method: 'POST',
      headers: {
        Cookie: on.startsWith('/owner') ? actors.owner : actors.employee,
        Origin: actors.url,
        'Next-Action': (await actionIds).get(exported) ?? '',
        'Content-Type': 'text/plain;charset=UTF-8',
      },
      body: JSON.stringify([input(actors)]),
    });
  },
});

const draft = { judul: 'Kiriman uji', isi: 'Isi kiriman uji.' };
const letter = { roles: [], people: [], kind: 'info', title: 'Tulisan uji', body: 'Isi', url: '', mustConfirm: false };

const publicInterface: Operation[] = [
  call('ping', '?aksi=ping'),
  call('karyawan', '?aksi=karyawan', undefined, 7),
  call('send to one', '', ({ employeeId }) => ({ ...draft, user_id: employeeId })),
  call('send to all', '', () => draft),
  call('send, refused', '', () => ({ ...draft, url: 'https://example.com' })),
];

const portal: Operation[] = [
  page('portal: home', '/portal', 'employee'),
  page('portal: notifications', '/portal/notifications', 'employee'),
  page('portal: unread only', '/portal/notifications?filter=unread', 'employee'),
  page('portal: one kind', '/portal/notifications?kind=gaji', 'employee'),
  page('portal: search, common word', '/portal/notifications?search=rapat', 'employee'),
  page('portal: search, rare word', '/portal/notifications?search=langka', 'employee'),
  page('portal: search, no such word', '/portal/notifications?search=tidakada', 'employee'),
  page('portal: older page', ({ lastNo }) => `/portal/inbox?before=${Math.floor(lastNo / 2)}`, 'employee'),
  page('portal: unread by kind', '/portal/inbox/unread', 'employee'),
  page('portal: settings', '/portal/settings', 'employee'),
  page('feed: nothing new', ({ lastNo }) => `/portal/feed?after=${lastNo + 1000}`, 'employee'),
  page(
    'feed: 50 new, with count',
    ({ lastNo }) => `/portal/feed?after=${Math.floor(lastNo * 0.9)}&count=1`,
    'employee',
  ),
  action('mark one read', 'markReadAction', '/portal', ({ broadcast }) => ({ no: broadcast, read: true })),
  action('mark one unread', 'markReadAction', '/portal', ({ broadcast }) => ({ no: broadcast, read: false })),
  action('record 20 shown', 'recordShownAction', '/portal', ({ broadcast }) => ({
    numbers: Array.from({ length: 20 }, (_, n) => broadcast - n),
  })),
  action('confirm', 'confirmAction', '/portal', ({ confirmable }) => ({ no: confirmable })),
];

const people: Operation[] = [
  page('owner: home', '/owner', 'owner', 7),
  page('owner: progress', '/owner/progress', 'owner'),
  page('owner: alarms', '/owner/alarms', 'owner'),
  page('owner: employees', '/owner/employees', 'owner', 7),
  page('owner: employees, older page', ({ employeeId }) => `/owner/employees?before=${employeeId}`, 'owner', 7),
  page('owner: employees, search', '/owner/employees?q=kartika', 'owner', 7),
  page('owner: employees, no such name', '/owner/employees?q=tidakada', 'owner', 7),
  page('owner: employees, invited', '/owner/employees?account=invited', 'owner', 7),
  page('owner: employees, not invited', '/owner/employees?account=uninvited', 'owner', 7),
  page('owner: employees, never open', '/owner/employees?account=own&portal=never', 'owner', 7),
  page('owner: employees, away', '/owner/employees?portal=away', 'owner', 7),
  page('owner: employees, silent', '/owner/employees?portal=silent', 'owner', 7),
  page('owner: one employee', ({ employeeId }) => `/owner/employees/${employeeId}`, 'owner'),
  page('owner: employees as CSV', '/owner/employees/csv', 'owner', 2),
  page('owner: invitation sheet', '/owner/employees/sheet?account=none', 'owner', 7),
  page('owner: keys', '/owner/keys', 'owner'),
  page('owner: revoked keys', '/owner/keys?state=revoked', 'owner'),
  page('owner: one key watched', ({ keyId }) => `/owner/keys/${keyId}/watch`, 'owner'),
  page('owner: settings', '/owner/settings/company', 'owner'),
];

const sends: Operation[] = [
  page('owner: sends', '/owner/sends', 'owner', 7),
  page('owner: sends, half way back', ({ lastNo }) => `/owner/sends?before=${Math.floor(lastNo / 2)}`, 'owner', 7),
  page('owner: sends of one key', ({ keyId }) => `/owner/sends?sender=${keyId}`, 'owner', 7),
  page('owner: sends by hand', '/owner/sends?sender=hand', 'owner', 7),
  page('owner: sends of a kind', '/owner/sends?kind=gaji', 'owner', 7),
  page('owner: sends to one person', ({ employeeId }) => `/owner/sends?employee=${employeeId}`, 'owner', 7),
  page('owner: sends of yesterday', `/owner/sends?day=${day(1)}`, 'owner', 7),
  page('owner: sends of a day last year', `/owner/sends?day=${day(400)}`, 'owner', 7),
  page('owner: sends, search', '/owner/sends?search=rapat', 'owner', 7),
  page('owner: sends, no such word', '/owner/sends?search=tidakada', 'owner', 7),
  page('owner: sends, not read by all', '/owner/sends?state=unread', 'owner', 3),
  page('owner: sends, not confirmed', '/owner/sends?state=unconfirmed', 'owner', 3),
  page('owner: sends, withdrawn', '/owner/sends?state=withdrawn', 'owner', 7),
  page('owner: one broadcast', ({ broadcast }) => `/owner/sends/${broadcast}`, 'owner', 7),
  page('owner: one broadcast, who read', ({ broadcast }) => `/owner/sends/${broadcast}?state=read`, 'owner', 7),
  page('owner: one broadcast, who did not', ({ broadcast }) => `/owner/sends/${broadcast}?state=unread`, 'owner', 7),
  page('owner: one broadcast, a name', ({ broadcast }) => `/owner/sends/${broadcast}?search=kartika`, 'owner', 7),
  page(
    'owner: one broadcast, no such name',
    ({ broadcast }) => `/owner/sends/${broadcast}?search=tidakada`,
    'owner',
    7,
  ),
  page('owner: one broadcast as CSV', ({ broadcast }) => `/owner/sends/${broadcast}/csv`, 'owner', 1),
  page('owner: proof', ({ broadcast, employeeId }) => `/owner/sends/${broadcast}/${employeeId}`, 'owner', 7),
  page('owner: compose', '/owner/sends/new', 'owner'),
  action('find a person', 'listPossibleRecipientsAction', '/owner/sends/new', () => ({ search: 'kartika' }), 7),
  action('find nobody', 'listPossibleRecipientsAction', '/owner/sends/new', () => ({ search: 'tidakada' }), 7),
  action('write to one', 'sendDraftAction', '/owner/sends/new', ({ employeeId }) => ({
    ...letter,
    to: 'one',
    recipientId: employeeId,
    draftId: crypto.randomUUID(),
  })),
  action(
    'remind everyone',
    'sendReminderAction',
    ({ confirmable }) => `/owner/sends/${confirmable}`,
    ({ confirmable }) => ({ no: confirmable, employeeId: null }),
    1,
  ),
];

const audit: Operation[] = [
  page('owner: audit', '/owner/audit', 'owner', 7),
  page('owner: audit, changes', '/owner/audit?action=change', 'owner', 7),
  page('owner: audit, one key', ({ keyId }) => `/owner/audit?key=${keyId}`, 'owner', 7),
  page('owner: audit, one person', ({ employeeId }) => `/owner/audit?employee=${employeeId}`, 'owner', 7),
  page('owner: audit, a name', '/owner/audit?employee=kartika', 'owner', 7),
  page('owner: audit, no such name', '/owner/audit?employee=tidakada', 'owner', 7),
  page('owner: audit, a day', `/owner/audit?from=${day(400)}&to=${day(400)}`, 'owner', 7),
  page('owner: audit, reached nobody', '/owner/audit?result=nobody', 'owner', 3),
  page('owner: audit, a rare action', '/owner/audit?action=employee.edit', 'owner', 3),
  page('owner: audit, by a request', ({ requestId }) => `/owner/audit?request=${requestId}`, 'owner', 7),
  page('owner: one audit entry', ({ entry }) => `/owner/audit/${entry}`, 'owner'),
  page('owner: audit of a day as CSV', `/owner/audit/csv?from=${day(1)}&to=${day(1)}`, 'owner', 2),
  page('owner: refused calls', '/owner/audit/refused', 'owner', 7),
  page('owner: refused, one key', ({ keyId }) => `/owner/audit/refused?key=${keyId}`, 'owner', 7),
  page('owner: refused, a day', `/owner/audit/refused?day=${day(5)}`, 'owner', 7),
  page('owner: refused, a reason', '/owner/audit/refused?reason=url_external', 'owner', 7),
  page('owner: refused, a rare reason', '/owner/audit/refused?reason=body_missing', 'owner', 7),
];

/** All operations whose cost could grow with the data, in the order of measurement. */
export const operations: Operation[] = [...publicInterface, ...portal, ...people, ...sends, ...audit];
