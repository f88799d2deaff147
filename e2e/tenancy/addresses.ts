import { words } from '#e2e/support/data/random.ts';
import type { Ids } from '#e2e/tenancy/full-company.ts';

/** Who may use an address. `manager`: an owner too. */
type Audience = 'everyone' | 'owner' | 'manager' | 'employee' | 'signed in';

/** Its paths, made from ids. `shows`: it has data of the company. `looksUp`: a missing id is 404. */
export type Address = { audience: Audience; paths: (ids: Ids) => string[]; shows?: boolean; looksUp?: boolean };

const open = (audience: Audience, paths: Address['paths']): Address => ({ audience, paths });
const forEveryone = (...paths: string[]) => open('everyone', () => paths);
// Shows the address, and again with each of these queries.
const listed = (audience: Audience, address: string, queries: Address['paths']): Record<string, Address> => ({
  [address]: { audience, shows: true, paths: (ids) => ['', ...queries(ids)].map((query) => address + query) },
});
const lookedUp = (audience: Audience, path: (ids: Ids) => string, shows = true): Address => ({
  audience,
  shows,
  looksUp: true,
  paths: (ids) => [path(ids)],
});
// Addresses that take nothing.
const plain = (audience: Audience, shows: boolean, all: string): Record<string, Address> =>
  Object.fromEntries(words(all).map((address) => [address, { audience, shows, paths: () => [address] }]));

export const addresses: Record<string, Address> = {
  ...plain(
    'everyone',
    false,
    `/api/auth/sign-in /api/auth/sign-out /api/v1/openapi-3.0.json /api/v1/openapi.json /api/v1/postman.json
    /apple-icon.png /health/live /health/ready /icon.svg /llms-small.txt /llms.txt /login/connect /login/demo
    /manifest.webmanifest /setup`,
  ),
  '/api/[...unknown]': forEveryone('/api/v2', '/api/trpc/read?batch=1', '/api/trpc/read,send?batch=1&input=%7B%7D'),
  '/api/auth/[...provider]': forEveryone('/api/auth/csrf', '/api/auth/providers'),
  '/browser-files/[file]': forEveryone('/embed.js', '/offline.html'),
  '/docs/[[...slug]]': forEveryone(
    ...words('/docs /docs/start /docs/recipes /docs/recipes/curl /docs/errors /docs/reference'),
  ),
  '/docs/markdown/[...path]': forEveryone('/docs/markdown/start', '/docs/start.md'),
  '/docs/recipes/code/[file]': forEveryone('/docs/recipes/code/curl-one.sh'),
  '/docs/search': forEveryone('/docs/search?q=kunci'),
  '/embed': forEveryone('/embed?origin=https%3A%2F%2Fhr.example.com'),
  // The link itself is the proof; the tests of invitations cover the rest.
  '/invite/[token]': forEveryone('/invite/nobody-s-token'),
  '/invite/[token]/logo': forEveryone('/invite/nobody-s-token/logo'),
  '/join/[token]': forEveryone('/join/nobody-s-token'),
  '/join/[token]/logo': forEveryone('/join/nobody-s-token/logo'),
  '/join/wait/[token]': forEveryone('/join/wait/nobody-s-token'),
  '/join/wait/[token]/state': forEveryone('/join/wait/nobody-s-token/state'),
  '/login/provider': forEveryone('/login/provider?step=provider-missing'),
  '/owner/[...unknown]': forEveryone('/owner/nothing'),
  // It leads to the list.
  '/portal/[...unknown]': forEveryone('/portal/nothing'),

  ...plain('signed in', false, '/ /login /login/second-factor'),
  '/company-logo/[version]': open('signed in', ({ logo }) => [`/company-logo/${logo}`]),
  '/picture/[draftId]': lookedUp('signed in', ({ picture }) => `/picture/${picture}`, false),

  ...plain(
    'manager',
    true,
    `/owner /owner/employees/import /owner/employees/invitations /owner/employees/join /owner/sends/planned
    /owner/sends/templates /owner/settings`,
  ),
  ...listed('manager', '/owner/employees', ({ words }) => [`?q=${words}`]),
  ...listed('manager', '/owner/employees/csv', ({ words }) => [`?q=${words}`]),
  '/owner/employees/[id]': lookedUp('manager', ({ employee }) => `/owner/employees/${employee}`),
  '/owner/employees/import/[id]': lookedUp('manager', (ids) => `/owner/employees/import/${ids.import}`),
  // It takes a list by POST only; e2e/transport/page-bodies.test.ts tests it.
  '/owner/employees/import/previews': open('manager', () => []),
  ...listed('manager', '/owner/sends', ({ key, employee, words }) => [
    ...[`?sender=${key}`, `?employee=${employee}`, `?search=${words}`],
  ]),
  ...listed('manager', '/owner/sends/csv', ({ key, employee }) => [`?sender=${key}`, `?employee=${employee}`]),
  '/owner/sends/[no]': lookedUp('manager', ({ send }) => `/owner/sends/${send}`),
  '/owner/sends/[no]/[employeeId]': lookedUp('manager', ({ send, employee }) => `/owner/sends/${send}/${employee}`),
  '/owner/sends/[no]/csv': lookedUp('manager', ({ send }) => `/owner/sends/${send}/csv`),
  // Of a number that the company does not have, all figures are 0.
  '/owner/sends/[no]/outcome': open('manager', ({ send }) => [`/owner/sends/${send}/outcome`]),
  // Only what the person themself sent.
  '/owner/sends/held': open('manager', ({ held }) => ['/owner/sends/held', `/owner/sends/held?known=${held}`]),
  ...listed('manager', '/owner/sends/new', ({ employee, send, template }) => [
    ...[`?to=${employee}`, `?again=${send}`, `?template=${template}`],
  ]),
  '/owner/sends/planned/[id]': {
    ...lookedUp('manager', String),
    paths: ({ planned, rule }) => [`/owner/sends/planned/${planned}`, `/owner/sends/planned/${rule}`],
  },
  '/owner/sends/templates/[id]': lookedUp('manager', ({ template }) => `/owner/sends/templates/${template}`),
  ...listed('manager', '/owner/sends/templates/new', ({ send }) => [`?of=${send}`]),

  ...plain('owner', false, '/owner/progress /owner/settings/data'),
  ...plain(
    'owner',
    true,
    `/owner/alarms /owner/sends/rules /owner/settings/access /owner/settings/alarms /owner/settings/company
    /owner/statistics /owner/statistics/csv`,
  ),
  ...listed('owner', '/owner/audit', ({ key, employee, request, account }) => [
    ...[`?key=${key}`, `?employee=${employee}`, `?employee=${request}`, `?who=person-${account}`, `?who=key-${key}`],
  ]),
  ...listed('owner', '/owner/audit/csv', ({ key, words }) => [`?key=${key}`, `?employee=${words}`]),
  ...listed('owner', '/owner/audit/refused', ({ key, request }) => [`?key=${key}`, `?request=${request}`]),
  '/owner/audit/[id]': lookedUp('owner', ({ audit }) => `/owner/audit/${audit}`),
  ...listed('owner', '/owner/keys', () => ['?state=revoked']),
  '/owner/keys/[id]': lookedUp('owner', ({ key }) => `/owner/keys/${key}`),
  '/owner/keys/[id]/watch': lookedUp('owner', ({ key }) => `/owner/keys/${key}/watch`, false),
  // It takes a picture by POST only; e2e/owner/downloads.test.ts tests it.
  '/owner/settings/logo': open('owner', () => []),
  '/owner/settings/export/[id]/file': lookedUp('owner', (ids) => `/owner/settings/export/${ids.export}/file`, false),

  ...plain('employee', false, '/embed/sign-in'),
  ...plain('employee', true, '/portal/help /portal/account /portal/settings'),
  '/portal': open('employee', () => []),
  '/portal/feed': { ...open('employee', () => ['/portal/feed?after=0', '/portal/feed?after=0&count=1']), shows: true },
  ...listed('employee', '/portal/inbox', ({ words }) => [`?search=${words}`]),
  ...listed('employee', '/portal/notifications', ({ words }) => [`?search=${words}`]),
  '/portal/notifications/[no]': lookedUp('employee', ({ send }) => `/portal/notifications/${send}`),
};

export const interfaceAddress = '/api/v1/notif.php';
