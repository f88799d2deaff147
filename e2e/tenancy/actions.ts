import { randomUUID } from 'node:crypto';
import { pushServicePort } from '#e2e/support/browser/push-device.ts';
import { password } from '#e2e/support/data/company.ts';
import { actionNamed, type BuiltAction } from '#e2e/support/service/build.ts';
import type { Ids } from '#e2e/tenancy/full-company.ts';

/** Who may call an action. `manager`: an owner too. `reauthenticated`: proved within the last 10 minutes. */
export type Guard = Right | `reauthenticated ${Right}` | 'everyone';
type Right = 'owner' | 'manager' | 'employee' | 'signed in';

/** How to call an action with ids, and what it does with a missing one (null: it takes none). */
export type Action = { guard: Guard; args: (ids: Ids) => unknown[]; names: 'refuses' | 'ignores' | null };

const row = (guard: Guard, names: Action['names'], args: (ids: Ids) => unknown): Action => ({
  guard,
  names,
  args: (ids) => [args(ids)],
});
const nameOf = (key: string) => key.split(' ', 1)[0] ?? '';
export const namesOf = (keys: string[]): string[] => [...new Set(keys.map(nameOf))];
export const actionOf = (key: string): BuiltAction => actionNamed(nameOf(key));

// Gives rights to a person, or takes them.
const giving = (who: keyof Ids, how: object): Action =>
  row('reauthenticated owner', 'refuses', ({ [who]: id }) => ({ id, ...how }));

const draft = { roles: [], people: [], kind: 'info', title: 'Judul', body: 'Isi', url: '', mustConfirm: false };
const toAll = () => ({ ...draft, draftId: randomUUID(), to: 'everyone', recipientId: null });
// Writes a message to one person, now or as `planning` says.
const message = (planning?: (ids: Ids) => object): Action =>
  row('manager', 'refuses', (ids) => ({
    ...toAll(),
    to: 'one',
    recipientId: ids.employee,
    ...(planning && { planning: planning(ids) }),
  }));

const rest = { body: 'Isi', url: '' };
const newKey = () => ({ name: `Kunci ${randomUUID()}`, note: '', expiresOn: null });
const staff = { role: 'Staf', staffNumber: '' };
const plainKey = { expiresOn: null, mustConfirm: false, expectedEveryMinutes: null };
const bell = { origin: 'https://hr.example.com', isTyped: false };
const deviceKeys = { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) };
const newSubscription = () => ({ endpoint: `http://127.0.0.1:${pushServicePort}/${randomUUID()}`, ...deviceKeys });
const schedule = { every: 'day', weekdays: [], monthDay: 1, time: '08:00', startsOn: '2098-01-01', endsOn: null };
const tomorrow = () => ({ date: new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10), time: '23:59' });

/** Every action of the build and its variants. Those that consume something come last. */
export const actions: Record<string, Action> = {
  // Public: the language is a free choice; the others create an account and need a secret.
  chooseLanguageAction: row('everyone', null, () => 'id'),
  acceptInvitationAction: row('everyone', null, () => ({ token: 'nobody-s', username: 'siapa saja', password })),
  startPasskeySignInAction: row('everyone', null, () => null),
  demoSignInAction: row('everyone', null, () => ({ token: 'nobody-s' })),
  openBellAction: row('everyone', null, () => ({ secret: 'x'.repeat(43), ...bell })),
  setupAction: row('everyone', null, () => ({})),
  requestToJoinAction: row('everyone', null, () => ({ token: 'nobody-s', name: 'Siapa Saja', role: 'Staf' })),

  findTestRecipientAction: row('owner', null, () => false),
  'findTestRecipientAction adds': row('owner', null, () => true),
  searchCompanyAction: row('manager', 'ignores', ({ words }) => ({ search: words })),
  listPossibleRecipientsAction: row('manager', 'ignores', ({ words }) => ({ search: words })),
  changeAlarmSettingsAction: row('owner', null, () => ({ warnOfSilence: true })),
  chooseMustConfirmKindsAction: row('owner', null, () => ({})),
  changeCompanyAction: row('owner', null, ({ words }) => ({ companyName: `PT ${words}`, timeZone: 'Asia/Jakarta' })),
  renameAccountAction: row('manager', null, () => ({ name: 'Pengelola Uji' })),
  changeLinkBaseAction: row('reauthenticated owner', null, () => ({ linkBase: 'https://hr.example.com' })),
  changeEmbedOriginsAction: row('reauthenticated owner', null, () => ({ embedOrigins: 'https://hr.example.com' })),
  removeLogoAction: row('owner', null, () => null),
  changeRetentionAction: row('owner', null, () => ({ notifications: '', refusals: '30', agreed: true })),
  changeIdleLimitsAction: row('reauthenticated owner', null, () => ({ managers: '', employees: '' })),
  addNumberedEmployeeAction: row('manager', null, () => ({ name: 'Karyawan Satu', ...staff })),
  editNumberedEmployeeAction: row('manager', 'refuses', ({ employee: id, words: name }) => ({ id, name, ...staff })),
  setEmployeeRolesAction: row('manager', 'ignores', ({ inactive: id }) => ({ ids: [id], role: 'Staf' })),
  listMatchingAction: row('manager', 'ignores', ({ words }) => ({ q: words })),
  setEmployeesActiveAction: row('manager', 'ignores', (all) => ({ ids: [all.inactive, all.employee], active: true })),
  createJoinLinkAction: row('manager', null, () => ({ role: null, days: 1, maxRequests: 10 })),
  showJoinLinkAction: row('manager', 'refuses', ({ joinLink: id }) => ({ id })),
  revokeJoinLinkAction: row('manager', 'refuses', ({ joinLink: id }) => ({ id })),
  approveJoinRequestsAction: row('reauthenticated manager', 'refuses', ({ joinRequest: id }) => ({
    approvals: [{ id, name: 'Calon Satu', role: 'Staf' }],
  })),
  declineJoinRequestsAction: row('manager', 'ignores', ({ joinRequest: id }) => ({ ids: [id] })),
  saveImportAction: row('manager', 'refuses', (ids) => ({ id: ids.import, shown: '' })),
  withdrawRepeatsAction: row('owner', 'refuses', ({ key: keyId }) => ({ keyId })),
  dismissAlarmAction: row('owner', 'refuses', ({ key: keyId }) => ({ kind: 'repeated-broadcast', keyId })),
  editKeyAction: row('owner', 'refuses', ({ key: id, words: name }) => ({ id, name, note: name, ...plainKey })),
  sendMessageAction: message(),
  undoHeldSendAction: row('manager', 'refuses', ({ held: draftId }) => ({ draftId })),
  planMessageAction: message(() => ({ ...tomorrow(), plan: null })),
  'planMessageAction of a plan': message(({ planned: plan }) => ({ ...tomorrow(), plan })),
  'planMessageAction again and again': message(() => ({ schedule, rule: null })),
  'planMessageAction of a rule': message(({ rule }) => ({ schedule, rule })),
  saveTemplateAction: row('manager', 'refuses', ({ template, words: name }) => ({ ...toAll(), name, template })),
  sendPlanNowAction: row('manager', 'refuses', ({ missed: draftId }) => ({ draftId })),
  cancelPlanAction: row('manager', 'refuses', ({ planned: draftId }) => ({ draftId })),
  deleteTemplateAction: row('manager', 'refuses', ({ template }) => ({ template })),
  endRuleAction: row('manager', 'refuses', ({ rule }) => ({ rule })),
  correctSendAction: row('manager', 'refuses', ({ send: no, words }) => ({ no, title: `Judul ${words}`, ...rest })),
  // Before `remindOneAction`: it is held, so the reminder to one person is not refused as too early.
  remindAllAction: row('manager', 'refuses', ({ send: no }) => ({ no, draftId: randomUUID() })),
  remindOneAction: row('manager', 'refuses', ({ send: no, employee: employeeId }) => ({ no, employeeId })),
  withdrawSendAction: row('manager', 'refuses', ({ spareSend: no }) => ({ no })),
  closeQuestionAction: row('manager', 'refuses', ({ question: no }) => ({ no })),
  addMyselfAction: row('manager', null, () => null),

  showInvitationAction: row('reauthenticated manager', 'refuses', ({ invited: id }) => ({ id, anew: false })),
  'showInvitationAction anew': row('reauthenticated manager', 'refuses', ({ invited: id }) => ({ id, anew: true })),
  addFirstPersonAction: row('reauthenticated owner', null, () => ({ name: 'Orang Pertama' })),
  createInvitationsAction: row('reauthenticated manager', 'ignores', ({ invited }) => [invited]),
  remindToOpenAction: row('reauthenticated manager', 'ignores', ({ invited }) => [invited]),
  createKeyAction: row('reauthenticated owner', null, newKey),
  'createKeyAction replacement': row('reauthenticated owner', 'refuses', ({ spareKey: replacedId }) => ({
    ...newKey(),
    replacedId,
  })),
  revokeKeyAction: row('reauthenticated owner', 'refuses', ({ spareKey: id }) => ({ id })),
  createExportAction: row('reauthenticated owner', null, () => ({})),
  'giveRightsAction owner': giving('withAccount', { rights: 'makeOwner' }),
  'giveRightsAction manager': giving('alsoWithAccount', { rights: 'makeManager' }),
  'inviteOwnerAction owner': row('reauthenticated owner', null, () => ({ name: 'Calon', rights: 'owner' })),
  'inviteOwnerAction manager': row('reauthenticated owner', null, () => ({ name: 'Calon', rights: 'manager' })),
  'changeOwnerAction promote': giving('spareManager', { change: 'promote' }),
  'changeOwnerAction demote': giving('spareManager', { change: 'demote' }),
  'changeOwnerAction removeManager': giving('spareManager', { change: 'removeManager' }),
  cancelOwnerInvitationAction: row('reauthenticated owner', 'refuses', ({ ownerInvitation: id }) => ({ id })),
  createOwnerLinkAction: row('reauthenticated owner', 'refuses', ({ otherOwner: id }) => ({ id })),
  'changeOwnerAction signOut': giving('otherOwner', { change: 'signOut' }),
  'changeOwnerAction remove': giving('spareOwner', { change: 'remove' }),

  changePreferencesAction: row('employee', null, () => ({ keepPopUps: true })),
  silenceAction: row('employee', null, () => ({ minutes: 5 })),
  recordShownAction: row('employee', 'ignores', ({ send }) => ({ numbers: [send] })),
  markReadAction: row('employee', 'refuses', ({ send: no }) => ({ no, read: true })),
  offerToBellAction: row('employee', null, () => ({ code: 'x'.repeat(43), ...bell })),
  confirmAction: row('employee', 'refuses', ({ send: no }) => ({ no })),
  // `upTo` is no id: the numbers of each company start at one.
  markAllReadAction: row('employee', null, () => ({ upTo: 1 })),
  undoMarkAllReadAction: row('employee', null, ({ send: no }) => ({ before: no, upTo: no, reopened: [no], back: [] })),
  keepSubscriptionAction: row('employee', null, newSubscription),
  addAlarmDeviceAction: row('owner', null, newSubscription),
  'addAlarmDeviceAction renewal': row('owner', null, () => ({ ...newSubscription(), renews: true })),
  testAlarmDeviceAction: row('owner', 'refuses', ({ alarmDevice: id }) => ({ id })),
  removeAlarmDeviceAction: row('owner', 'refuses', ({ alarmDevice: id }) => ({ id })),
  archiveOneAction: row('employee', 'refuses', ({ send: no }) => ({ no })),
  returnAction: row('employee', 'refuses', ({ send: no }) => ({ no, unread: true, back: true })),
  snoozeAction: row('employee', 'refuses', ({ send: no }) => ({ no, time: 'hour' })),
  forgetSubscriptionAction: row('employee', 'ignores', ({ endpoint }) => ({ endpoint })),

  signOutEmployeeAction: row('manager', 'refuses', ({ employee: id }) => ({ id })),
  findPasskeyOptionsAction: row('signed in', null, () => null),
  provePasskeyAction: row('signed in', null, () => ({ answer: '{}' })),
  acceptRecoveryCodeAction: row('signed in', null, () => ({ code: 'a code' })),
  makeRecoveryCodesAction: row('reauthenticated owner', null, () => null),
  requireSecondFactorAction: row('reauthenticated owner', null, () => ({ day: '' })),
  startPasskeyAction: row('reauthenticated signed in', null, () => null),
  addPasskeyAction: row('reauthenticated signed in', null, () => ({ name: 'HP', answer: '{}' })),
  removePasskeyAction: row('reauthenticated signed in', 'refuses', ({ passkey: id }) => ({ id })),
  reauthenticateAction: row('signed in', null, () => ({ password })),
  endBellAction: row('signed in', 'refuses', ({ bell: id }) => ({ id })),
  endSessionsAction: row('signed in', 'refuses', ({ session: which }) => ({ which })),
  findAccountAction: row('signed in', null, () => null),
  listReauthenticationWaysAction: row('signed in', null, () => null),
  prepareLinkAction: row('reauthenticated signed in', null, () => null),
  unlinkIdentityAction: row('reauthenticated signed in', 'refuses', ({ identity: id }) => ({ id })),
  remindToConnectAction: row('owner', null, () => ({ issuer: 'https://accounts.google.com' })),
  changeProviderRuleAction: row('reauthenticated owner', null, () => ({ issuer: '', fallbackAccountId: 1 })),
  changePasswordAction: row('signed in', null, () => ({ current: password, next: password })),
  leaveOwnersAction: row('reauthenticated owner', null, () => null),
  leaveManagersAction: row('reauthenticated manager', null, () => null),
};
