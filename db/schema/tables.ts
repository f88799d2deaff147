// Written by `npm run unit db/schema -- --update` from the schema that db/migrations/ makes.
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  timestamp,
  uuid,
  varchar,
} from '#db/drizzle.cjs';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const accounts = pgTable('accounts', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  username: varchar('username', { length: 254 }).notNull(),
  name: varchar('name', { length: 120 }).notNull(),
  passwordHash: text('password_hash'),
  isOwner: boolean('is_owner').notNull().default(sql`false`),
  isManager: boolean('is_manager').notNull().default(sql`false`),
  ownerSince: timestamp('owner_since', { withTimezone: true }),
  signedInAt: timestamp('signed_in_at', { withTimezone: true }),
  language: text('language'),
  sessionVersion: integer('session_version').notNull().default(sql`1`),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const alarms = pgTable('alarms', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull(),
  keyId: integer('key_id'),
  accountId: integer('account_id'),
  at: timestamp('at', { withTimezone: true }).notNull().default(sql`now()`),
  lastAt: timestamp('last_at', { withTimezone: true }).notNull().default(sql`now()`),
  pushedAt: timestamp('pushed_at', { withTimezone: true }),
  details: jsonb('details').$type<Record<string, unknown>>().notNull(),
  dismissedAt: timestamp('dismissed_at', { withTimezone: true }),
});

export const apiKeys = pgTable('api_keys', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  name: varchar('name', { length: 60 }).notNull(),
  fingerprint: bytea('fingerprint').notNull(),
  createdBy: integer('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  note: varchar('note', { length: 500 }),
  replacesId: integer('replaces_id'),
  mustConfirm: boolean('must_confirm').notNull().default(sql`false`),
  expectedEveryMinutes: integer('expected_every_minutes'),
  expectedSince: timestamp('expected_since', { withTimezone: true }),
  silenceCheckAt: timestamp('silence_check_at', { withTimezone: true }),
  silentSince: timestamp('silent_since', { withTimezone: true }),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
});

export const auditLog = pgTable('audit_log', {
  companyId: integer('company_id').notNull(),
  id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true }).notNull().default(sql`now()`),
  actorKind: text('actor_kind').notNull(),
  actorId: integer('actor_id'),
  actorName: varchar('actor_name', { length: 120 }).notNull(),
  action: text('action').notNull(),
  details: jsonb('details').$type<Record<string, unknown>>().notNull(),
  requestId: text('request_id').notNull(),
  keyId: integer('key_id'),
  employeeId: integer('employee_id'),
});

export const bells = pgTable('bells', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  sessionId: integer('session_id').notNull(),
  origin: text('origin').notNull(),
  address: text('address').notNull(),
  client: text('client').notNull(),
  openedAt: timestamp('opened_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const buildFiles = pgTable('build_files', {
  build: text('build').notNull(),
  path: text('path').notNull(),
  isGzip: boolean('is_gzip').notNull(),
  content: bytea('content').notNull(),
  signature: bytea('signature').notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const companies = pgTable('companies', {
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  name: varchar('name', { length: 120 }).notNull(),
  timeZone: text('time_zone').notNull().default(sql`'Asia/Jakarta'::text`),
  lastNo: bigint('last_no', { mode: 'number' }).notNull().default(sql`0`),
  activeEmployees: integer('active_employees').notNull().default(sql`0`),
  accessNo: bigint('access_no', { mode: 'number' }).notNull().default(sql`0`),
  mustConfirmKinds: text('must_confirm_kinds').array().notNull().default(sql`'{}'::text[]`),
  keepNotificationsDays: integer('keep_notifications_days'),
  keepRefusalsDays: integer('keep_refusals_days').notNull().default(sql`30`),
  warnOfRepeats: boolean('warn_of_repeats').notNull().default(sql`true`),
  warnOfSilence: boolean('warn_of_silence').notNull().default(sql`true`),
  guessingPushedAt: timestamp('guessing_pushed_at', { withTimezone: true }),
  onlyIssuer: text('only_issuer'),
  fallbackAccountId: integer('fallback_account_id'),
  secondFactorFrom: timestamp('second_factor_from', { withTimezone: true }),
  managersIdleMinutes: integer('managers_idle_minutes'),
  employeesIdleMinutes: integer('employees_idle_minutes'),
  linkBase: text('link_base'),
  embedOrigins: text('embed_origins').array().notNull().default(sql`'{}'::text[]`),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const companyLogos = pgTable('company_logos', {
  companyId: integer('company_id').notNull(),
  version: text('version').notNull(),
  png: bytea('png').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const employees = pgTable('employees', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  accountId: integer('account_id'),
  name: varchar('name', { length: 120 }).notNull(),
  role: varchar('role', { length: 60 }).notNull(),
  staffNumber: varchar('staff_number', { length: 40 }),
  active: boolean('active').notNull().default(sql`true`),
  readUpTo: bigint('read_up_to', { mode: 'number' }).notNull().default(sql`0`),
  settledUpTo: bigint('settled_up_to', { mode: 'number' }).notNull().default(sql`0`),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const employment = pgTable('employment', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  fromNo: bigint('from_no', { mode: 'number' }).notNull(),
  untilNo: bigint('until_no', { mode: 'number' }),
});

export const exportParts = pgTable('export_parts', {
  companyId: integer('company_id').notNull(),
  exportId: uuid('export_id').notNull(),
  place: integer('place').notNull(),
  bytes: bytea('bytes').notNull(),
});

export const exports = pgTable('exports', {
  companyId: integer('company_id').notNull(),
  id: uuid('id').notNull().default(sql`gen_random_uuid()`),
  createdBy: integer('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  heartbeatAt: timestamp('heartbeat_at', { withTimezone: true }).notNull().default(sql`now()`),
  rowsDone: bigint('rows_done', { mode: 'number' }).notNull().default(sql`0`),
  rowsTotal: bigint('rows_total', { mode: 'number' }).notNull().default(sql`0`),
  finishedAt: timestamp('finished_at', { withTimezone: true }),
  failedAt: timestamp('failed_at', { withTimezone: true }),
});

export const failedSignIns = pgTable('failed_sign_ins', {
  companyId: integer('company_id').notNull(),
  accountId: integer('account_id').notNull(),
  source: bytea('source').notNull(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull().default(sql`now()`),
  lastAt: timestamp('last_at', { withTimezone: true }).notNull().default(sql`now()`),
  failures: integer('failures').notNull().default(sql`1`),
});

export const hourlyJobs = pgTable('hourly_jobs', {
  name: text('name').notNull(),
  runner: uuid('runner'),
  leaseUntil: timestamp('lease_until', { withTimezone: true }),
  endedAt: timestamp('ended_at', { withTimezone: true }).notNull(),
});

export const idempotency = pgTable('idempotency', {
  companyId: integer('company_id').notNull(),
  keyId: integer('key_id').notNull(),
  idempotencyKey: varchar('idempotency_key', { length: 255 }).notNull(),
  bodyHash: bytea('body_hash').notNull(),
  reach: integer('reach').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const identities = pgTable('identities', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  accountId: integer('account_id').notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  label: text('label').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  usedAt: timestamp('used_at', { withTimezone: true }),
});

export const imports = pgTable('imports', {
  companyId: integer('company_id').notNull(),
  id: uuid('id').notNull().default(sql`gen_random_uuid()`),
  createdBy: integer('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  rows: jsonb('rows').$type<{ line: number; name: string; role: string; staffNumber?: string }[]>().notNull(),
  appliedAt: timestamp('applied_at', { withTimezone: true }),
  added: integer('added'),
  changed: integer('changed'),
});

export const invitations = pgTable('invitations', {
  companyId: integer('company_id').notNull(),
  tokenHash: bytea('token_hash').notNull(),
  employeeId: integer('employee_id'),
  accountId: integer('account_id'),
  ownerName: varchar('owner_name', { length: 120 }),
  managerName: varchar('manager_name', { length: 120 }),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  usedAt: timestamp('used_at', { withTimezone: true }),
  tokenSalt: bytea('token_salt'),
  shownTo: integer('shown_to').array().notNull().default(sql`'{}'::integer[]`),
});

export const joinLinks = pgTable('join_links', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  tokenHash: bytea('token_hash').notNull(),
  role: varchar('role', { length: 60 }),
  maxRequests: integer('max_requests').notNull(),
  requests: integer('requests').notNull().default(sql`0`),
  createdBy: integer('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  tokenSalt: bytea('token_salt'),
  shownTo: integer('shown_to').array().notNull().default(sql`'{}'::integer[]`),
});

export const joinRequests = pgTable('join_requests', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  linkId: integer('link_id').notNull(),
  tokenHash: bytea('token_hash').notNull(),
  name: varchar('name', { length: 120 }).notNull(),
  role: varchar('role', { length: 60 }),
  address: text('address').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  decidedBy: integer('decided_by'),
  employeeId: integer('employee_id'),
});

export const keyTraffic = pgTable('key_traffic', {
  companyId: integer('company_id').notNull(),
  keyId: integer('key_id').notNull(),
  hour: timestamp('hour', { withTimezone: true }).notNull(),
  requests: integer('requests').notNull(),
  refused: integer('refused').notNull(),
});

export const keyUsage = pgTable('key_usage', {
  companyId: integer('company_id').notNull(),
  keyId: integer('key_id').notNull(),
  windowStartedAt: timestamp('window_started_at', { withTimezone: true }).notNull(),
  used: integer('used').notNull(),
});

export const keyUses = pgTable('key_uses', {
  companyId: integer('company_id').notNull(),
  keyId: integer('key_id').notNull(),
  firstAt: timestamp('first_at', { withTimezone: true }).notNull(),
  lastAt: timestamp('last_at', { withTimezone: true }).notNull(),
  operation: text('operation'),
  address: text('address').notNull(),
  client: text('client').notNull(),
});

export const limitCounters = pgTable('limit_counters', {
  subject: bytea('subject').notNull(),
  uses: integer('uses').notNull(),
  endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
});

export const notificationPeople = pgTable('notification_people', {
  companyId: integer('company_id').notNull(),
  no: bigint('no', { mode: 'number' }).notNull(),
  employeeId: integer('employee_id').notNull(),
});

export const notificationPictures = pgTable('notification_pictures', {
  companyId: integer('company_id').notNull(),
  draftId: uuid('draft_id').notNull(),
  jpeg: bytea('jpeg').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const notifications = pgTable('notifications', {
  companyId: integer('company_id').notNull(),
  no: bigint('no', { mode: 'number' }).notNull(),
  recipientId: integer('recipient_id'),
  isListed: boolean('is_listed').notNull().default(sql`false`),
  toRoles: varchar('to_roles').array(),
  title: varchar('title', { length: 120 }).notNull(),
  body: varchar('body', { length: 255 }).notNull(),
  kind: text('kind').notNull(),
  url: varchar('url', { length: 2048 }),
  reach: integer('reach').notNull(),
  keyId: integer('key_id'),
  accountId: integer('account_id'),
  draftId: uuid('draft_id'),
  mustConfirm: boolean('must_confirm').notNull().default(sql`false`),
  remindsNo: bigint('reminds_no', { mode: 'number' }),
  withdrawnAt: timestamp('withdrawn_at', { withTimezone: true }),
  withdrawalNo: bigint('withdrawal_no', { mode: 'number' }),
  skipped: integer('skipped'),
  correctedAt: timestamp('corrected_at', { withTimezone: true }),
  correctionNo: bigint('correction_no', { mode: 'number' }),
  correctedBy: integer('corrected_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  answers: text('answers').array(),
  closedAt: timestamp('closed_at', { withTimezone: true }),
});

export const ownerDevices = pgTable('owner_devices', {
  companyId: integer('company_id').notNull(),
  accountId: integer('account_id').notNull(),
  endpointHash: bytea('endpoint_hash').notNull(),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  sessionId: integer('session_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  pending: jsonb('pending').$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
  retryAt: timestamp('retry_at', { withTimezone: true }),
  retries: integer('retries').notNull().default(sql`0`),
});

export const passkeys = pgTable('passkeys', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  accountId: integer('account_id').notNull(),
  name: varchar('name', { length: 120 }).notNull(),
  credentialId: bytea('credential_id').notNull(),
  publicKey: bytea('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: text('transports').array().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  usedAt: timestamp('used_at', { withTimezone: true }),
});

export const plannedSends = pgTable('planned_sends', {
  companyId: integer('company_id').notNull(),
  draftId: uuid('draft_id').notNull(),
  accountId: integer('account_id').notNull(),
  recipientId: integer('recipient_id'),
  toRoles: varchar('to_roles').array(),
  toPeople: integer('to_people').array(),
  title: varchar('title', { length: 120 }).notNull(),
  body: varchar('body', { length: 255 }).notNull(),
  kind: text('kind').notNull(),
  url: varchar('url', { length: 2048 }),
  mustConfirm: boolean('must_confirm').notNull(),
  isPlanned: boolean('is_planned').notNull(),
  ruleId: integer('rule_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  leavesAt: timestamp('leaves_at', { withTimezone: true }).notNull(),
  undoneAt: timestamp('undone_at', { withTimezone: true }),
  missedAt: timestamp('missed_at', { withTimezone: true }),
  missedBefore: integer('missed_before').notNull().default(sql`0`),
  remindsNo: bigint('reminds_no', { mode: 'number' }),
  answers: text('answers').array(),
});

export const portals = pgTable('portals', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  browserId: uuid('browser_id').notNull(),
  sound: text('sound'),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
});

export const preferences = pgTable('preferences', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  mutedKinds: text('muted_kinds').array().notNull().default(sql`'{}'::text[]`),
  sound: text('sound').notNull().default(sql`'chime'::text`),
  hidePrivate: boolean('hide_private'),
  keepPopUps: boolean('keep_pop_ups').notNull().default(sql`false`),
  shortcuts: boolean('shortcuts').notNull().default(sql`true`),
  unreadFirst: boolean('unread_first').notNull().default(sql`false`),
  quietFrom: integer('quiet_from'),
  quietUntil: integer('quiet_until'),
  quietTimeZone: text('quiet_time_zone'),
  silentUntil: timestamp('silent_until', { withTimezone: true }),
});

export const providerLogouts = pgTable('provider_logouts', {
  issuer: text('issuer').notNull(),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
});

export const pushSubscriptions = pgTable('push_subscriptions', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  endpointHash: bytea('endpoint_hash').notNull(),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  sessionId: integer('session_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const readMarks = pgTable('read_marks', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  upTo: bigint('up_to', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const receipts = pgTable('receipts', {
  companyId: integer('company_id').notNull(),
  employeeId: integer('employee_id').notNull(),
  no: bigint('no', { mode: 'number' }).notNull(),
  shownAt: timestamp('shown_at', { withTimezone: true }),
  readAt: timestamp('read_at', { withTimezone: true }),
  unreadAt: timestamp('unread_at', { withTimezone: true }),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  snoozedUntil: timestamp('snoozed_until', { withTimezone: true }),
  snoozePushAt: timestamp('snooze_push_at', { withTimezone: true }),
  answer: integer('answer'),
  firstConfirmedAt: timestamp('first_confirmed_at', { withTimezone: true }),
});

export const recoveryCodes = pgTable('recovery_codes', {
  companyId: integer('company_id').notNull(),
  accountId: integer('account_id').notNull(),
  codeHash: bytea('code_hash').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
});

export const refusalCounts = pgTable('refusal_counts', {
  companyId: integer('company_id').notNull(),
  id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  hour: timestamp('hour', { withTimezone: true }).notNull(),
  keyId: integer('key_id'),
  code: text('code').notNull(),
  wanted: integer('wanted').notNull(),
  notKept: bigint('not_kept', { mode: 'number' }).notNull(),
});

export const refusals = pgTable('refusals', {
  companyId: integer('company_id').notNull(),
  id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true }).notNull(),
  requestId: uuid('request_id').notNull(),
  keyId: integer('key_id'),
  code: text('code').notNull(),
  field: text('field'),
  figures: jsonb('figures').$type<Record<string, number | string>>(),
  operation: text('operation').notNull(),
  address: text('address').notNull(),
  client: text('client').notNull(),
  more: integer('more').notNull().default(sql`0`),
});

export const sendRules = pgTable('send_rules', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  accountId: integer('account_id').notNull(),
  recipientId: integer('recipient_id'),
  toRoles: varchar('to_roles').array(),
  toPeople: integer('to_people').array(),
  title: varchar('title', { length: 120 }).notNull(),
  body: varchar('body', { length: 255 }).notNull(),
  kind: text('kind').notNull(),
  url: varchar('url', { length: 2048 }),
  mustConfirm: boolean('must_confirm').notNull(),
  pictureId: uuid('picture_id'),
  every: text('every').notNull(),
  weekdays: integer('weekdays').array(),
  monthDay: integer('month_day'),
  minute: integer('minute').notNull(),
  timeZone: text('time_zone').notNull(),
  startsOn: date('starts_on').notNull(),
  endsOn: date('ends_on'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  endedAt: timestamp('ended_at', { withTimezone: true }),
  answers: text('answers').array(),
});

export const sendStatistics = pgTable('send_statistics', {
  companyId: integer('company_id').notNull(),
  day: date('day').notNull(),
  keyId: integer('key_id').notNull(),
  sends: integer('sends').notNull(),
  reach: bigint('reach', { mode: 'number' }).notNull(),
  readWithinHour: bigint('read_within_hour', { mode: 'number' }).notNull(),
  toConfirm: bigint('to_confirm', { mode: 'number' }).notNull(),
  confirmed: bigint('confirmed', { mode: 'number' }).notNull(),
  countedAt: timestamp('counted_at', { withTimezone: true }).notNull(),
});

export const sendTemplates = pgTable('send_templates', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  name: varchar('name', { length: 60 }).notNull(),
  recipientId: integer('recipient_id'),
  toRoles: varchar('to_roles').array(),
  toPeople: integer('to_people').array(),
  title: varchar('title', { length: 120 }).notNull(),
  body: varchar('body', { length: 255 }).notNull(),
  kind: text('kind').notNull(),
  url: varchar('url', { length: 2048 }),
  mustConfirm: boolean('must_confirm').notNull(),
  createdBy: integer('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().default(sql`now()`),
  answers: text('answers').array(),
});

export const sessions = pgTable('sessions', {
  companyId: integer('company_id').notNull(),
  id: integer('id').notNull().generatedAlwaysAsIdentity(),
  accountId: integer('account_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().default(sql`now()`),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull().default(sql`now()`),
  provedAt: timestamp('proved_at', { withTimezone: true }).notNull().default(sql`now()`),
  hasSecondFactor: boolean('has_second_factor').notNull().default(sql`false`),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  address: text('address').notNull(),
  client: text('client').notNull(),
  issuer: text('issuer'),
  providerSid: text('provider_sid'),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
  confirmBy: timestamp('confirm_by', { withTimezone: true }),
  bellCode: text('bell_code'),
  bellOrigin: text('bell_origin'),
  bellVersion: integer('bell_version'),
  bellUntil: timestamp('bell_until', { withTimezone: true }),
});
