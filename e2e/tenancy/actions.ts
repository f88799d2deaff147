import { randomUUID } from 'node:crypto';
import { pushServicePort } from '#e2e/fixtures/push-port.ts';
import type { Ids } from '#e2e/tenancy/full-company.ts';
import { password } from '#harness/company.ts';

/** Who may call an action. `proved owner`: an owner who typed their password lately. */
export type Guard = 'owner' | 'proved owner' | 'employee' | 'signed in' | 'everyone';

/**
 * How an action is called. `args` are made of ids, one's own, foreign or missing. `names` says what it does with an id that is not
 * there: refuses it, or passes over it; null when it names nothing.
 */
export type Action = { guard: Guard; args: (ids: Ids) => unknown[]; names: 'refuses' | 'passes over' | null };

const row = (guard: Guard, names: Action['names'], args: (ids: Ids) => unknown): Action => ({
  ...{ guard, names },
  args: (ids) => [args(ids)],
});
const draft = { kind: 'info', title: 'Judul', body: 'Isi', url: '', mustConfirm: false };

/** Every action of the build. Those that end or use something up come last. */
export const actions: Record<string, Action> = {
  // Public: a language is anybody's choice; the others are ways to become somebody, each with a secret or a limit of its own.
  chooseLanguageAction: row('everyone', null, () => 'id'),
  acceptInvitationAction: row('everyone', null, () => ({ token: 'nobody-s', username: 'siapa saja', password })),
  checkCompanyAction: row('everyone', null, () => ({})),
  setupAction: row('everyone', null, () => ({})),

  findTestRecipientAction: row('owner', null, () => null),
  listPossibleRecipientsAction: row('owner', 'passes over', ({ words }) => ({ search: words })),
  changeAlarmSettingsAction: row('owner', null, () => ({ warnOfSilence: true })),
  setMustConfirmKindsAction: row('owner', null, () => ({ kinds: [] })),
  editCompanyAction: row('owner', null, ({ words }) => ({
    ...{ companyName: `PT ${words}`, timeZone: 'Asia/Jakarta', ownerName: 'Pemilik Uji' },
  })),
  changeRetentionAction: row('owner', null, () => ({ notifications: '', refusals: '30', agreed: true })),
  addEmployeeAction: row('owner', null, () => ({ name: 'Karyawan Satu', role: 'Staf' })),
  editEmployeeAction: row('owner', 'refuses', ({ employee: id, words }) => ({
    id,
    name: `Pekerja ${words}`,
    role: 'Staf',
  })),
  setEmployeeActiveAction: row('owner', 'refuses', ({ inactive: id }) => ({ id, active: true })),
  createImportAction: row('owner', null, () => [[1, 'Calon Baru', 'Staf']]),
  fixImportRowAction: row('owner', 'refuses', (ids) => ({
    ...{ id: ids.import, line: 1, name: 'Calon Lain', role: 'Staf', namesake: false },
  })),
  applyImportAction: row('owner', 'refuses', (ids) => ({ id: ids.import })),
  dismissAlarmAction: row('owner', 'refuses', ({ key: keyId }) => ({ kind: 'repeated-broadcast', keyId })),
  editKeyAction: row('owner', 'refuses', ({ key: id, words }) => ({
    ...{ id, note: `Catatan ${words}`, mustConfirm: false, expectedEveryMinutes: null },
  })),
  sendByHandAction: row('owner', 'refuses', ({ employee: recipientId }) => ({
    ...{ ...draft, draftId: randomUUID(), to: 'one', recipientId },
  })),
  sendReminderAction: row('owner', 'refuses', ({ send: no }) => ({ no, employeeId: null })),
  withdrawSendAction: row('owner', 'refuses', ({ spareSend: no }) => ({ no })),
  addMyselfForTestAction: row('owner', null, () => null),
  addMyselfAction: row('owner', null, () => null),

  createInvitationAction: row('proved owner', 'refuses', ({ invited: id }) => ({ id })),
  createInvitationsAction: row('proved owner', 'passes over', ({ invited }) => [invited]),
  createKeyAction: row('proved owner', null, () => ({ name: `Kunci ${randomUUID()}` })),
  replaceKeyAction: row('proved owner', 'refuses', ({ spareKey: id }) => ({ id, name: `Kunci ${randomUUID()}` })),
  revokeKeyAction: row('proved owner', 'refuses', ({ spareKey: id }) => ({ id })),
  createExportAction: row('proved owner', null, () => ({})),

  changePreferencesAction: row('employee', null, () => ({ keepPopUps: true })),
  silenceAction: row('employee', null, () => ({ minutes: 5 })),
  recordShownAction: row('employee', 'passes over', ({ send }) => ({ numbers: [send] })),
  markReadAction: row('employee', 'refuses', ({ send: no }) => ({ no, read: true })),
  confirmAction: row('employee', 'refuses', ({ send: no }) => ({ no })),
  // A number up to which is read is no name of anything: each company counts from one.
  markAllReadAction: row('employee', null, () => ({ upTo: 1 })),
  undoMarkAllReadAction: row('employee', null, ({ send }) => ({ before: send, upTo: send, reopened: [send] })),
  keepSubscriptionAction: row('employee', null, () => ({
    ...{
      endpoint: `http://127.0.0.1:${pushServicePort}/${randomUUID()}`,
      p256dh: 'p'.repeat(87),
      auth: 'a'.repeat(22),
    },
  })),
  forgetSubscriptionAction: row('employee', 'passes over', ({ endpoint }) => ({ endpoint })),

  signOutEmployeeAction: row('owner', 'refuses', ({ employee: id }) => ({ id })),
  proveAgainAction: row('signed in', null, () => ({ password })),
  endSessionsAction: row('signed in', 'refuses', ({ session: which }) => ({ which })),
  changePasswordAction: row('signed in', null, () => ({ current: password, next: password })),
};
