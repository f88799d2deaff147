import type { Ids } from '#e2e/tenancy/full-company.ts';

/** Who may use an address. `manager`: an owner too. */
type Audience = 'everyone' | 'owner' | 'manager' | 'employee' | 'signed in';

/** Its paths, made from ids. `shows`: it has data of the company. `looksUp`: a missing id is 404. */
export type Address = {
  audience: Audience;
  paths: (ids: Ids) => string[];
  shows?: boolean;
  looksUp?: boolean;
};

const forEveryone = (...paths: string[]): Address => ({ audience: 'everyone', paths: () => paths });
const shown = (audience: Audience, paths: Address['paths']): Address => ({ audience, paths, shows: true });
const lookedUp = (audience: Audience, path: (ids: Ids) => string, shows = true): Address => ({
  audience,
  shows,
  looksUp: true,
  paths: (ids) => [path(ids)],
});

/** Every address of the build but the API. */
export const addresses: Record<string, Address> = {
  '/': { audience: 'signed in', paths: () => ['/'] },
  '/api/[...unknown]': forEveryone('/api/v2', '/api/trpc/read?batch=1', '/api/trpc/read,send?batch=1&input=%7B%7D'),
  '/api/auth/[...provider]': forEveryone('/api/auth/csrf', '/api/auth/providers'),
  '/api/auth/sign-in': forEveryone('/api/auth/sign-in'),
  '/api/auth/sign-out': forEveryone('/api/auth/sign-out'),
  '/api/v1/openapi-3.0.json': forEveryone('/api/v1/openapi-3.0.json'),
  '/api/v1/openapi.json': forEveryone('/api/v1/openapi.json'),
  '/api/v1/postman.json': forEveryone('/api/v1/postman.json'),
  '/apple-icon.png': forEveryone('/apple-icon.png'),
  '/browser-files/[file]': forEveryone('/embed.js', '/offline.html'),
  '/company-logo/[version]': { audience: 'signed in', paths: ({ logo }) => [`/company-logo/${logo}`] },
  '/docs/[[...slug]]': forEveryone(
    '/docs',
    '/docs/start',
    '/docs/recipes',
    '/docs/recipes/curl',
    '/docs/errors',
    '/docs/reference',
  ),
  '/docs/markdown/[...path]': forEveryone('/docs/markdown/start', '/docs/start.md'),
  '/docs/recipes/code/[file]': forEveryone('/docs/recipes/code/curl-one.sh'),
  '/docs/search': forEveryone('/docs/search?q=kunci'),
  '/embed': forEveryone('/embed?origin=https%3A%2F%2Fhr.example.com'),
  '/embed/sign-in': { audience: 'employee', paths: () => ['/embed/sign-in'] },
  '/health/live': forEveryone('/health/live'),
  '/health/ready': forEveryone('/health/ready'),
  '/icon.svg': forEveryone('/icon.svg'),
  // The link itself is the proof; the tests of invitations cover the rest.
  '/invite/[token]': forEveryone('/invite/nobody-s-token'),
  '/invite/[token]/logo': forEveryone('/invite/nobody-s-token/logo'),
  '/join/[token]': forEveryone('/join/nobody-s-token'),
  '/join/[token]/logo': forEveryone('/join/nobody-s-token/logo'),
  '/join/wait/[token]': forEveryone('/join/wait/nobody-s-token'),
  '/join/wait/[token]/state': forEveryone('/join/wait/nobody-s-token/state'),
  '/llms-small.txt': forEveryone('/llms-small.txt'),
  '/llms.txt': forEveryone('/llms.txt'),
  '/login': { audience: 'signed in', paths: () => ['/login'] },
  '/login/connect': forEveryone('/login/connect'),
  '/login/demo': forEveryone('/login/demo'),
  '/login/provider': forEveryone('/login/provider?step=provider-missing'),
  '/login/second-factor': { audience: 'signed in', paths: () => ['/login/second-factor'] },
  '/manifest.webmanifest': forEveryone('/manifest.webmanifest'),
  '/picture/[draftId]': { audience: 'signed in', looksUp: true, paths: ({ picture }) => [`/picture/${picture}`] },
  '/setup': forEveryone('/setup'),

  '/owner': shown('manager', () => ['/owner']),
  '/owner/[...unknown]': forEveryone('/owner/nothing'),
  '/owner/alarms': shown('owner', () => ['/owner/alarms']),
  '/owner/audit': shown('owner', ({ key, employee, request, account }) => [
    ...['/owner/audit', `/owner/audit?key=${key}`, `/owner/audit?employee=${employee}`],
    ...[`/owner/audit?request=${request}`, `/owner/audit?who=person-${account}`, `/owner/audit?who=key-${key}`],
  ]),
  '/owner/audit/[id]': lookedUp('owner', ({ audit }) => `/owner/audit/${audit}`),
  '/owner/audit/csv': shown('owner', ({ key, words }) => [
    ...['/owner/audit/csv', `/owner/audit/csv?key=${key}`, `/owner/audit/csv?employee=${words}`],
  ]),
  '/owner/audit/refused': shown('owner', ({ key, request }) => [
    ...['/owner/audit/refused', `/owner/audit/refused?key=${key}`, `/owner/audit/refused?request=${request}`],
  ]),
  '/owner/employees': shown('manager', ({ words }) => ['/owner/employees', `/owner/employees?q=${words}`]),
  '/owner/employees/[id]': lookedUp('manager', ({ employee }) => `/owner/employees/${employee}`),
  '/owner/employees/csv': shown('manager', ({ words }) => ['/owner/employees/csv', `/owner/employees/csv?q=${words}`]),
  '/owner/employees/import': shown('manager', () => ['/owner/employees/import']),
  '/owner/employees/import/[id]': lookedUp('manager', (ids) => `/owner/employees/import/${ids.import}`),
  // It takes a list by POST only; e2e/transport/page-bodies.test.ts tests it.
  '/owner/employees/import/previews': { audience: 'manager', paths: () => [] },
  '/owner/employees/invitations': shown('manager', () => ['/owner/employees/invitations']),
  '/owner/employees/join': shown('manager', () => ['/owner/employees/join']),
  '/owner/keys': shown('owner', () => ['/owner/keys', '/owner/keys?state=revoked']),
  '/owner/keys/[id]': lookedUp('owner', ({ key }) => `/owner/keys/${key}`),
  '/owner/keys/[id]/watch': lookedUp('owner', ({ key }) => `/owner/keys/${key}/watch`, false),
  '/owner/progress': { audience: 'owner', paths: () => ['/owner/progress'] },
  '/owner/sends': shown('manager', ({ key, employee, words }) => [
    ...[
      '/owner/sends',
      `/owner/sends?sender=${key}`,
      `/owner/sends?employee=${employee}`,
      `/owner/sends?search=${words}`,
    ],
  ]),
  '/owner/sends/[no]': lookedUp('manager', ({ send }) => `/owner/sends/${send}`),
  '/owner/sends/[no]/[employeeId]': lookedUp('manager', ({ send, employee }) => `/owner/sends/${send}/${employee}`),
  '/owner/sends/[no]/csv': lookedUp('manager', ({ send }) => `/owner/sends/${send}/csv`),
  // Of a number that the company does not have, all figures are 0.
  '/owner/sends/[no]/outcome': { audience: 'manager', paths: ({ send }) => [`/owner/sends/${send}/outcome`] },
  '/owner/sends/csv': shown('manager', ({ key, employee }) => [
    ...['/owner/sends/csv', `/owner/sends/csv?sender=${key}`, `/owner/sends/csv?employee=${employee}`],
  ]),
  // Only what the person themself sent.
  '/owner/sends/held': {
    audience: 'manager',
    paths: ({ held }) => ['/owner/sends/held', `/owner/sends/held?known=${held}`],
  },
  '/owner/sends/new': shown('manager', ({ employee, send, template }) => [
    '/owner/sends/new',
    `/owner/sends/new?to=${employee}`,
    `/owner/sends/new?again=${send}`,
    `/owner/sends/new?template=${template}`,
  ]),
  '/owner/sends/planned': shown('manager', () => ['/owner/sends/planned']),
  '/owner/sends/planned/[id]': {
    ...lookedUp('manager', String),
    paths: ({ planned, rule }) => [`/owner/sends/planned/${planned}`, `/owner/sends/planned/${rule}`],
  },
  '/owner/sends/templates': shown('manager', () => ['/owner/sends/templates']),
  '/owner/sends/templates/[id]': lookedUp('manager', ({ template }) => `/owner/sends/templates/${template}`),
  '/owner/sends/templates/new': shown('manager', ({ send }) => [
    '/owner/sends/templates/new',
    `/owner/sends/templates/new?of=${send}`,
  ]),
  '/owner/sends/rules': shown('owner', () => ['/owner/sends/rules']),
  '/owner/settings': shown('manager', () => ['/owner/settings']),
  '/owner/settings/access': shown('owner', () => ['/owner/settings/access']),
  '/owner/settings/alarms': shown('owner', () => ['/owner/settings/alarms']),
  '/owner/settings/company': shown('owner', () => ['/owner/settings/company']),
  '/owner/settings/data': { audience: 'owner', paths: () => ['/owner/settings/data'] },
  '/owner/statistics': shown('owner', () => ['/owner/statistics']),
  '/owner/statistics/csv': shown('owner', () => ['/owner/statistics/csv']),
  // It takes a picture by POST only; e2e/owner/logo.test.ts tests it.
  '/owner/settings/logo': { audience: 'owner', paths: () => [] },
  '/owner/settings/export/[id]/file': lookedUp('owner', (ids) => `/owner/settings/export/${ids.export}/file`, false),
  '/owner/settings/export/[id]/state': lookedUp('owner', (ids) => `/owner/settings/export/${ids.export}/state`, false),

  // It leads to the list.
  '/portal/[...unknown]': forEveryone('/portal/nothing'),
  '/portal': { audience: 'employee', paths: () => [] },
  '/portal/feed': shown('employee', () => ['/portal/feed?after=0', '/portal/feed?after=0&count=1']),
  '/portal/help': shown('employee', () => ['/portal/help']),
  '/portal/inbox': shown('employee', ({ words }) => ['/portal/inbox', `/portal/inbox?search=${words}`]),
  '/portal/notifications': shown('employee', ({ words }) => [
    ...['/portal/notifications', `/portal/notifications?search=${words}`],
  ]),
  '/portal/notifications/[no]': lookedUp('employee', ({ send }) => `/portal/notifications/${send}`),
  '/portal/account': shown('employee', () => ['/portal/account']),
  '/portal/settings': shown('employee', () => ['/portal/settings']),
};

/** The API, which a table of its own covers. */
export const interfaceAddress = '/api/v1/notif.php';
