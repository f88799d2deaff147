-- The schema. `db/schema/rows.ts` has the types of its rows.

-- A company is the tenant. The lock on its row orders all changes of a company: every send
-- increases `last_no`, and every change of who is active changes `active_employees`. Every change that
-- ends a session increases `access_no`, which tells processes to check their cached sessions.
-- Without `keep_notifications_days` notifications are kept for ever. `guessing_pushed_at` is the last
-- push of the alarm about guessed passwords.
--
-- With `only_issuer` people sign in with this provider only, except the owner `fallback_account_id`. From
-- `second_factor_from` owners and managers need a second factor. Sessions without activity end after
-- `managers_idle_minutes` (of owners and managers) and `employees_idle_minutes`. Paths of notifications that
-- are no pages of this service lead to `link_base`, the address of the company's own portal. Pages of
-- `embed_origins` may show the bell of the company's people.
create table companies (
  id integer generated always as identity primary key,
  name varchar(120) not null,
  time_zone text not null default 'Asia/Jakarta',
  last_no bigint not null default 0,
  active_employees integer not null default 0,
  access_no bigint not null default 0,
  must_confirm_kinds text[] not null default '{}',
  keep_notifications_days integer,
  keep_refusals_days integer not null default 30,
  warn_of_repeats boolean not null default true,
  warn_of_silence boolean not null default true,
  guessing_pushed_at timestamptz,
  only_issuer text,
  fallback_account_id integer,
  second_factor_from timestamptz,
  managers_idle_minutes integer,
  employees_idle_minutes integer,
  link_base text,
  embed_origins text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index companies_embed_origins on companies using gin (embed_origins);

-- The logo of a company, as a PNG that this service wrote itself. `version` is the beginning of the
-- file's SHA-256. It is part of the address, so browsers may cache the logo for ever.
create table company_logos (
  company_id integer primary key references companies,
  version text not null,
  png bytea not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null default now()
);

-- The scripts, styles and pictures of each build that a machine served lately. A machine with
-- another version finds them here, so that the pages of all versions load while machines are
-- updated. `signature` is an HMAC with AUTH_SECRET: rows without a valid one are not served.
create table build_files (
  build text not null,
  path text not null,
  is_gzip boolean not null,
  content bytea not null,
  signature bytea not null,
  seen_at timestamptz not null default now(),
  primary key (build, path)
);

-- When each hourly job last ended, and who runs it now. All machines share these rows, so that a
-- job runs once an hour in the whole deployment. `runner` is a process; it renews `lease_until`
-- while it works. After `lease_until` another process may take the job.
create table hourly_jobs (
  name text primary key,
  runner uuid,
  lease_until timestamptz,
  ended_at timestamptz not null
);

-- An account of an owner, a manager or an employee. An employee may also be an owner or a manager;
-- nobody is both of these. `owner_since` is set for an account that became an owner after
-- `created_at`. Without `password_hash` the person signs in with an identity or a passkey only.
create table accounts (
  company_id integer not null references companies,
  id integer generated always as identity,
  username varchar(254) not null,
  name varchar(120) not null,
  password_hash text,
  is_owner boolean not null default false,
  is_manager boolean not null default false,
  owner_since timestamptz,
  signed_in_at timestamptz,
  language text,
  session_version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint accounts_owner_or_manager check (not (is_owner and is_manager))
);
create unique index accounts_username on accounts (lower(username));
create index accounts_owners on accounts (company_id) where is_owner;
create index accounts_managers on accounts (company_id) where is_manager;

-- A signed-in browser; the session cookie holds its id. `proved_at` is the last time the person
-- proved there who they are. `has_second_factor` says that a passkey, a recovery code or a provider
-- was part of it. The provider `issuer` opened it as its own session `provider_sid`, confirmed it last at
-- `confirmed_at`, and must again before `confirm_by`. Ending a session deletes its row. Until `bell_until`
-- a bell in a page of `bell_origin` may take it over once, with the secret whose SHA-256 is `bell_code`, at
-- the version `bell_version` of its account.
create table sessions (
  company_id integer not null references companies,
  id integer generated always as identity,
  account_id integer not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  proved_at timestamptz not null default now(),
  has_second_factor boolean not null default false,
  expires_at timestamptz not null,
  address text not null,
  client text not null,
  issuer text,
  provider_sid text,
  confirmed_at timestamptz,
  confirm_by timestamptz,
  bell_code text,
  bell_origin text,
  bell_version integer,
  bell_until timestamptz,
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts
);
create unique index sessions_bell on sessions (bell_code) where bell_code is not null;
create index sessions_account on sessions (company_id, account_id);
create index sessions_provider on sessions (issuer, provider_sid) where provider_sid is not null;

-- An identity of an account at a provider of OpenID Connect: `subject` is the provider's `sub`.
-- `label` is what the provider calls the person; it is only shown.
create table identities (
  company_id integer not null references companies,
  id integer generated always as identity,
  account_id integer not null,
  issuer text not null,
  subject text not null,
  label text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts
);
create unique index identities_subject on identities (issuer, subject);
create index identities_account on identities (company_id, account_id);

-- A passkey of an account. `credential_id`, `public_key` and `counter` are those of WebAuthn;
-- `transports` says how a browser reaches it.
create table passkeys (
  company_id integer not null references companies,
  id integer generated always as identity,
  account_id integer not null,
  name varchar(120) not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_account on passkeys (company_id, account_id);

-- The recovery codes of an account that are not used yet, as SHA-256.
create table recovery_codes (
  company_id integer not null references companies,
  account_id integer not null,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (company_id, account_id, code_hash),
  foreign key (company_id, account_id) references accounts
);

-- Counters of all limits: failed sign-ins and other secrets, and what people do. `subject` is a hash
-- of what is counted together, such as a name and an address. At `ends_at` the count begins anew.
create table limit_counters (
  subject bytea primary key,
  uses integer not null,
  ends_at timestamptz not null
);

-- Wrong passwords for an account from unknown browsers, for the owners' alarm. `source` is a hash
-- of the client's network. Rows without a new failure for an hour are deleted.
create table failed_sign_ins (
  company_id integer not null references companies,
  account_id integer not null,
  source bytea not null,
  started_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  failures integer not null default 1,
  primary key (company_id, account_id, source),
  foreign key (company_id, account_id) references accounts
);
create index failed_sign_ins_last on failed_sign_ins (last_at);

-- A person who receives notifications. `id` is the public `user_id`. Notifications with numbers up
-- to `read_up_to` are read, unless their receipt has an `unread_at`. Of those up to `settled_up_to`,
-- none is unread without an `unread_at`: counting begins there (`server/inbox/unread.ts`).
-- `staff_number` is the company's own number of the person.
create table employees (
  company_id integer not null references companies,
  id integer generated always as identity,
  account_id integer,
  name varchar(120) not null,
  role varchar(60) not null,
  staff_number varchar(40),
  active boolean not null default true,
  read_up_to bigint not null default 0,
  settled_up_to bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts
);
create unique index employees_account on employees (company_id, account_id);
create unique index employees_staff_number on employees (company_id, staff_number) where staff_number is not null;
-- Every row has a role. The condition keeps a send to one employee from using this smaller index
-- instead of the primary key when statistics are outdated.
create index employees_by_role on employees (company_id, role, active) where role is not null;
create index employees_by_name on employees (company_id, active desc, name, id);

-- A period in which the employee was active. The employee receives broadcasts with
-- `from_no < no <= until_no`. `until_no` is null while the period is open.
create table employment (
  company_id integer not null references companies,
  employee_id integer not null,
  from_no bigint not null,
  until_no bigint,
  foreign key (company_id, employee_id) references employees
);
create index employment_spans on employment (company_id, employee_id, from_no, until_no);
create unique index employment_one_open_span on employment (company_id, employee_id) where until_no is null;

-- A link that gives access once. With `employee_id`, the employee creates or recovers an account.
-- With `account_id`, the owner or manager with this account chooses a new password. With
-- `owner_name`, a new owner creates an account; with `manager_name`, a new manager. `created_by` is
-- null when the operator made the link. Only the hash of its token is stored.
create table invitations (
  company_id integer not null references companies,
  token_hash bytea not null,
  employee_id integer,
  account_id integer,
  owner_name varchar(120),
  manager_name varchar(120),
  created_by integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (company_id, token_hash),
  constraint invitations_token unique (token_hash),
  constraint invitations_one_person check (num_nonnulls(employee_id, account_id, owner_name, manager_name) = 1),
  foreign key (company_id, account_id) references accounts,
  foreign key (company_id, employee_id) references employees,
  foreign key (company_id, created_by) references accounts
);
create index invitations_employee on invitations (company_id, employee_id);

-- A link of a company with which people ask to join. It takes `max_requests` requests until
-- `expires_at`, or until it is revoked. With `role`, everyone who is approved gets this role. Only
-- the hash of its token is stored.
create table join_links (
  company_id integer not null references companies,
  id integer generated always as identity,
  token_hash bytea not null,
  role varchar(60),
  max_requests integer not null,
  requests integer not null default 0,
  created_by integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (company_id, id),
  constraint join_links_token unique (token_hash),
  foreign key (company_id, created_by) references accounts
);

-- A person who asked to join. The browser of the person has the token; only its hash is stored. An
-- approval creates the employee and an invitation with the same token. A request that is decided
-- without an `employee_id` was declined.
create table join_requests (
  company_id integer not null references companies,
  id integer generated always as identity,
  link_id integer not null,
  token_hash bytea not null,
  name varchar(120) not null,
  role varchar(60),
  address text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by integer,
  employee_id integer,
  primary key (company_id, id),
  constraint join_requests_token unique (token_hash),
  foreign key (company_id, link_id) references join_links,
  foreign key (company_id, decided_by) references accounts,
  foreign key (company_id, employee_id) references employees
);
create index join_requests_open on join_requests (company_id, id) where decided_at is null;

-- An import of employees. It is stored from the upload until it is applied, so that a reload of the
-- page loses nothing. Afterwards `rows` has only the rows with problems. `namesake` marks a row
-- that the owner adds although an employee has the same name.
create table imports (
  company_id integer not null references companies,
  id uuid not null default gen_random_uuid(),
  created_by integer not null,
  created_at timestamptz not null default now(),
  rows jsonb not null,
  applied_at timestamptz,
  added integer,
  changed integer,
  primary key (company_id, id),
  foreign key (company_id, created_by) references accounts
);

-- An export of all data of a company, running or finished. Its worker renews `heartbeat_at`.
create table exports (
  company_id integer not null references companies,
  id uuid not null default gen_random_uuid(),
  created_by integer not null,
  created_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  rows_done bigint not null default 0,
  rows_total bigint not null default 0,
  finished_at timestamptz,
  failed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, created_by) references accounts
);

-- The bytes of an export in parts, ordered by `place`.
create table export_parts (
  company_id integer not null references companies,
  export_id uuid not null,
  place integer not null,
  bytes bytea not null,
  primary key (company_id, export_id, place),
  foreign key (company_id, export_id) references exports on delete cascade
);

-- An API key. Only its SHA-256 fingerprint is stored (contract §3). `replaces_id` is the key that it
-- replaces. A send is expected every `expected_every_minutes`, counted from `expected_since`. At
-- `silence_check_at` (null: now) the service checks whether it is silent; `silent_since` is the start
-- of the last silence that was pushed to the owners' devices. From `expires_at` on, the key is
-- rejected like a revoked one (null: it never expires).
create table api_keys (
  company_id integer not null references companies,
  id integer generated always as identity,
  name varchar(60) not null,
  fingerprint bytea not null,
  created_by integer not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  note varchar(500),
  replaces_id integer,
  must_confirm boolean not null default false,
  expected_every_minutes integer,
  expected_since timestamptz,
  silence_check_at timestamptz,
  silent_since timestamptz,
  expires_at timestamptz,
  primary key (company_id, id),
  constraint api_keys_fingerprint unique (fingerprint),
  foreign key (company_id, created_by) references accounts,
  foreign key (company_id, replaces_id) references api_keys
);
create unique index api_keys_active_name on api_keys (company_id, name) where revoked_at is null;
create index api_keys_silence on api_keys (silence_check_at)
  where expected_every_minutes is not null and revoked_at is null;

-- The current one-minute window of each key. UNLOGGED: a crash starts new windows.
create unlogged table key_usage (
  company_id integer not null,
  key_id integer not null,
  window_started_at timestamptz not null,
  used integer not null,
  primary key (company_id, key_id),
  foreign key (company_id, key_id) references api_keys
);

-- The answers to sends with an `Idempotency-Key`, valid for 24 hours (contract §7).
create table idempotency (
  company_id integer not null,
  key_id integer not null,
  idempotency_key varchar(255) not null,
  body_hash bytea not null,
  reach integer not null,
  created_at timestamptz not null default now(),
  primary key (company_id, key_id, idempotency_key),
  foreign key (company_id, key_id) references api_keys
);

-- The first and the last use of a key; operation, address and client are of the last one. The call
-- log writes it about once a second, not during the request.
create table key_uses (
  company_id integer not null references companies,
  key_id integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  operation text,
  address text not null,
  client text not null,
  primary key (company_id, key_id),
  foreign key (company_id, key_id) references api_keys
);

-- The number of requests, and of rejected ones, of a key in an hour. Kept for 32 days.
create table key_traffic (
  company_id integer not null references companies,
  key_id integer not null,
  hour timestamptz not null,
  requests integer not null,
  refused integer not null,
  primary key (company_id, key_id, hour),
  foreign key (company_id, key_id) references api_keys
);

-- A rejected request of the public interface whose company is known. `key_id` is null for a request
-- without a key. `more` counts similar requests (same second, code, and key or address) without
-- their own row. `figures` has the parameters of the failure.
create table refusals (
  company_id integer not null references companies,
  id bigint generated always as identity,
  at timestamptz not null,
  request_id uuid not null,
  key_id integer,
  code text not null,
  field text,
  figures jsonb,
  operation text not null,
  address text not null,
  client text not null,
  more integer not null default 0,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys
);
create index refusals_at on refusals (company_id, at);
create index refusals_request on refusals (company_id, request_id);
create index refusals_key on refusals (company_id, key_id, id) where key_id is not null;
create index refusals_without_key on refusals (company_id, id) where key_id is null;

-- Rejected requests of an hour for each key (null: without a key) and code. `wanted` counts the
-- rows that the hour would have without its limit. `not_kept` counts the requests beyond it, which
-- have no row.
create table refusal_counts (
  company_id integer not null references companies,
  id bigint generated always as identity,
  hour timestamptz not null,
  key_id integer,
  code text not null,
  wanted integer not null,
  not_kept bigint not null,
  primary key (company_id, id),
  constraint refusal_counts_hour unique nulls not distinct (company_id, hour, key_id, code),
  foreign key (company_id, key_id) references api_keys
);

-- An alarm for the owners about a key or an account. An open alarm is updated; there is at most one of
-- each kind for a key or account. `pushed_at` is when the owners' devices last got it.
create table alarms (
  company_id integer not null references companies,
  id integer generated always as identity,
  kind text not null,
  key_id integer,
  account_id integer,
  at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  pushed_at timestamptz,
  details jsonb not null,
  dismissed_at timestamptz,
  primary key (company_id, id),
  constraint alarms_kind check (kind in ('repeated-broadcast', 'denied-requests', 'links-changed')),
  constraint alarms_one_source check (num_nonnulls(key_id, account_id) = 1),
  foreign key (company_id, account_id) references accounts,
  foreign key (company_id, key_id) references api_keys
);
create unique index alarms_open on alarms (company_id, kind, key_id) where dismissed_at is null;
create unique index alarms_open_account on alarms (company_id, kind, account_id) where dismissed_at is null;
create index alarms_to_push on alarms (last_at)
  where dismissed_at is null and (pushed_at is null or last_at > pushed_at);

-- The audit log: one entry for each change, append only (a trigger refuses update, delete and
-- truncate). `key_id` and `employee_id` make an entry findable by its subject; its content is in
-- `details`. A foreign key to the company only: a key or person that is missing never blocks an entry.
create table audit_log (
  company_id integer not null references companies,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_kind text not null,
  actor_id integer,
  actor_name varchar(120) not null,
  action text not null,
  details jsonb not null,
  request_id text not null,
  key_id integer,
  employee_id integer,
  primary key (company_id, id),
  constraint audit_log_actor_kind check (actor_kind in ('key', 'account', 'system', 'operator'))
);
create index audit_log_at on audit_log (company_id, at);
create index audit_log_key on audit_log (company_id, key_id, id) where key_id is not null;
create index audit_log_employee on audit_log (company_id, employee_id, id) where employee_id is not null;
create index audit_log_actions on audit_log (company_id, action, id) where action <> 'notification.send';
create index audit_log_unreached on audit_log (company_id, id) where details->>'reach' = '0';
create index audit_log_changes on audit_log (company_id, id) where action <> 'notification.send';

-- One row for each send. With a `recipient_id` it is for that employee. With `is_listed` it is for the
-- people in `notification_people`: chosen ones, or those who had one of the roles `to_roles` when it
-- was sent; `skipped` more were inactive. Otherwise it is for everyone, and the employment periods
-- say who was active. A reminder has `reminds_no`. It is for the employees who had not confirmed that
-- notification when the reminder was sent. `draft_id` makes a manual send happen once. A withdrawal
-- and the last correction of title, text and link take a number of the company too: `withdrawal_no`
-- and `correction_no`. So "changed after N" can be queried.
create table notifications (
  company_id integer not null references companies,
  no bigint not null,
  recipient_id integer,
  is_listed boolean not null default false,
  to_roles varchar(60)[],
  title varchar(120) not null,
  body varchar(255) not null,
  kind text not null,
  url varchar(2048),
  reach integer not null,
  key_id integer,
  account_id integer,
  draft_id uuid,
  must_confirm boolean not null default false,
  reminds_no bigint,
  withdrawn_at timestamptz,
  withdrawal_no bigint,
  skipped integer,
  corrected_at timestamptz,
  correction_no bigint,
  corrected_by integer,
  created_at timestamptz not null default now(),
  primary key (company_id, no),
  constraint notifications_kind check (kind in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
  constraint notifications_one_sender check (num_nonnulls(key_id, account_id) = 1),
  foreign key (company_id, reminds_no) references notifications,
  foreign key (company_id, key_id) references api_keys,
  foreign key (company_id, account_id) references accounts
);
create index notifications_withdrawn on notifications (company_id, withdrawal_no) where withdrawal_no is not null;
create index notifications_corrected on notifications (company_id, correction_no) where correction_no is not null;
create index notifications_must_confirm on notifications (company_id, recipient_id, no, is_listed, reach, withdrawn_at)
  where must_confirm;
create unique index notifications_draft on notifications (company_id, draft_id) where draft_id is not null;
create index notifications_key on notifications (company_id, key_id, no) where key_id is not null;
create index notifications_reminders on notifications (company_id, reminds_no) where reminds_no is not null;
-- A send is in one of the three. They have all columns that unread counts and inbox searches read, so
-- that these are index-only scans (docs/decisions/0099).
create index notifications_broadcast on notifications
  (company_id, no, reach, withdrawn_at, reminds_no, title, body, kind, key_id, account_id)
  where recipient_id is null and not is_listed;
create index notifications_listed on notifications
  (company_id, no, reach, withdrawn_at, title, body, kind, key_id, account_id)
  where is_listed;
create index notifications_direct on notifications
  (company_id, recipient_id, no, reach, withdrawn_at, title, body, kind, key_id, account_id)
  where recipient_id is not null;

-- The picture of a manual send, as a JPEG that this service wrote itself. `draft_id` is that of its
-- row in `notifications` or, until it leaves, in `planned_sends`, or the `picture_id` of a running rule.
-- It is stored before them. Without any it is deleted after a day.
create table notification_pictures (
  company_id integer not null references companies,
  draft_id uuid not null,
  jpeg bytea not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null default now(),
  primary key (company_id, draft_id)
);

-- The recipients of a send with `is_listed`. A whole role is inserted under the company's lock, so
-- the table has one foreign key only: more would triple the time. The inserting statement takes the
-- ids from the company's employees.
create table notification_people (
  company_id integer not null,
  no bigint not null,
  employee_id integer not null,
  primary key (company_id, no, employee_id),
  foreign key (company_id, no) references notifications
);
create index notification_people_employee on notification_people (company_id, employee_id, no);

-- What an employee did with a notification; without an action there is no row. A notification is
-- read when it has a `read_at` or its number is at most `employees.read_up_to`, unless it has an
-- `unread_at`. The inbox omits it after `archived_at`, unless it has an `unread_at`, and until
-- `snoozed_until`. After `snoozed_until` it is unread until the person reads it. At `snooze_push_at`
-- their devices get it; null when no push is due.
create table receipts (
  company_id integer not null references companies,
  employee_id integer not null,
  no bigint not null,
  shown_at timestamptz,
  read_at timestamptz,
  unread_at timestamptz,
  confirmed_at timestamptz,
  archived_at timestamptz,
  snoozed_until timestamptz,
  snooze_push_at timestamptz,
  primary key (company_id, employee_id, no),
  foreign key (company_id, employee_id) references employees,
  foreign key (company_id, no) references notifications
);
create index receipts_notification on receipts (company_id, no, employee_id);
create index receipts_marked_unread on receipts (company_id, employee_id, no) where unread_at is not null;
create index receipts_read on receipts (company_id, employee_id, no) where read_at is not null and unread_at is null;
create index receipts_archived on receipts (company_id, employee_id, no)
  where archived_at is not null and unread_at is null;
create index receipts_snoozed on receipts (company_id, employee_id, snoozed_until, no) where snoozed_until is not null;
create index receipts_snooze_push on receipts (snooze_push_at) where snooze_push_at is not null;
create index receipts_confirmed on receipts (company_id, employee_id, no) where confirmed_at is not null;

-- When an employee marked all up to a number as read; for notifications without a receipt.
create table read_marks (
  company_id integer not null references companies,
  employee_id integer not null,
  up_to bigint not null,
  at timestamptz not null default now(),
  primary key (company_id, employee_id, up_to),
  foreign key (company_id, employee_id) references employees
);

-- A rule that makes planned sends: at `minute` of the day in `time_zone`, each day, on the
-- `weekdays` (1: Monday, 7: Sunday), or on the `month_day` (31: the last day) of each month, from
-- `starts_on` on. It has one waiting send at a time, with a copy of the picture `picture_id`. After
-- `ends_on`, or with an `ended_at`, it makes none.
create table send_rules (
  company_id integer not null references companies,
  id integer generated always as identity,
  account_id integer not null,
  recipient_id integer,
  to_roles varchar(60)[],
  to_people integer[],
  title varchar(120) not null,
  body varchar(255) not null,
  kind text not null,
  url varchar(2048),
  must_confirm boolean not null,
  picture_id uuid,
  every text not null,
  weekdays integer[],
  month_day integer,
  minute integer not null,
  time_zone text not null,
  starts_on date not null,
  ends_on date,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (company_id, id),
  constraint send_rules_kind check (kind in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
  constraint send_rules_recipients check (num_nonnulls(recipient_id, to_roles, to_people) <= 1),
  constraint send_rules_every check (every in ('day', 'week', 'month')),
  constraint send_rules_minute check (minute between 0 and 1439),
  foreign key (company_id, account_id) references accounts,
  foreign key (company_id, recipient_id) references employees
);
create index send_rules_running on send_rules (company_id) where ended_at is null;

-- A manual send that has not left yet. At `leaves_at` any process sends it and deletes this row in
-- one transaction. `draft_id` becomes the notification's. With `is_planned` a person chose the time;
-- otherwise it waits only so that it can be undone. With `undone_at` it never leaves. The row stays
-- for a day, so that a late second submit of the draft sends nothing. With `missed_at` it could not
-- be sent, or not within an hour of its time, and a person decides. `rule_id` is the rule that made
-- it. `missed_before` counts earlier missed sends of the rule that are not listed. With `reminds_no` it
-- is a reminder of that notification. Who has not confirmed is found when it leaves.
create table planned_sends (
  company_id integer not null references companies,
  draft_id uuid not null,
  account_id integer not null,
  recipient_id integer,
  to_roles varchar(60)[],
  to_people integer[],
  title varchar(120) not null,
  body varchar(255) not null,
  kind text not null,
  url varchar(2048),
  must_confirm boolean not null,
  is_planned boolean not null,
  rule_id integer,
  created_at timestamptz not null default now(),
  leaves_at timestamptz not null,
  undone_at timestamptz,
  missed_at timestamptz,
  missed_before integer not null default 0,
  reminds_no bigint,
  primary key (company_id, draft_id),
  constraint planned_sends_kind check (kind in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
  constraint planned_sends_recipients check (num_nonnulls(recipient_id, to_roles, to_people) <= 1),
  foreign key (company_id, account_id) references accounts,
  foreign key (company_id, recipient_id) references employees,
  foreign key (company_id, rule_id) references send_rules
);
create index planned_sends_due on planned_sends (leaves_at) where undone_at is null and missed_at is null;
create index planned_sends_list on planned_sends (company_id, leaves_at) where is_planned and undone_at is null;
create unique index planned_sends_rule on planned_sends (company_id, rule_id)
  where rule_id is not null and undone_at is null and missed_at is null;

-- A text, with its recipients, that a company keeps under a name to send it again.
create table send_templates (
  company_id integer not null references companies,
  id integer generated always as identity,
  name varchar(60) not null,
  recipient_id integer,
  to_roles varchar(60)[],
  to_people integer[],
  title varchar(120) not null,
  body varchar(255) not null,
  kind text not null,
  url varchar(2048),
  must_confirm boolean not null,
  created_by integer not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint send_templates_kind check (kind in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
  constraint send_templates_recipients check (num_nonnulls(recipient_id, to_roles, to_people) <= 1),
  foreign key (company_id, created_by) references accounts,
  foreign key (company_id, recipient_id) references employees
);
create unique index send_templates_name on send_templates (company_id, lower(name));

-- What became of the sends of one day (of the company's time zone) and one key; `key_id` 0 means
-- manual sends. `reach`: people reached. `read_within_hour`: of those, who read within an hour.
-- `to_confirm`: reached by sends that must be confirmed, and `confirmed` of those did. The row stays
-- when the sends are deleted.
create table send_statistics (
  company_id integer not null references companies,
  day date not null,
  key_id integer not null,
  sends integer not null,
  reach bigint not null,
  read_within_hour bigint not null,
  to_confirm bigint not null,
  confirmed bigint not null,
  counted_at timestamptz not null,
  primary key (company_id, day, key_id)
);

-- The notification settings of an employee; without a row all have their defaults. `hide_private` is
-- null, which counts as true, until the person chooses. Quiet hours are minutes of the day in
-- `quiet_time_zone` (null: the company's time zone) and may pass midnight.
create table preferences (
  company_id integer not null references companies,
  employee_id integer not null,
  muted_kinds text[] not null default '{}',
  sound text not null default 'chime',
  hide_private boolean,
  keep_pop_ups boolean not null default false,
  shortcuts boolean not null default true,
  unread_first boolean not null default false,
  quiet_from integer,
  quiet_until integer,
  quiet_time_zone text,
  silent_until timestamptz,
  primary key (company_id, employee_id),
  constraint preferences_sound check (sound in ('chime', 'kentongan', 'gamelan', 'drop', 'bell')),
  constraint preferences_quiet_hours check (num_nulls(quiet_from, quiet_until) in (0, 2)
    and quiet_from between 0 and 1439 and quiet_until between 0 and 1439),
  foreign key (company_id, employee_id) references employees
);

-- A browser that has or had the portal open: its last request, and whether its sound works.
create table portals (
  company_id integer not null references companies,
  employee_id integer not null,
  browser_id uuid not null,
  sound text,
  seen_at timestamptz not null,
  primary key (company_id, employee_id, browser_id),
  constraint portals_sound check (sound in ('on', 'click', 'muted', 'blocked', 'unsupported')),
  foreign key (company_id, employee_id) references employees
);

-- The push subscription of a device (RFC 8030), for the time while the portal is closed. It belongs
-- to the session that made it and is deleted with it. An endpoint belongs to one employee.
create table push_subscriptions (
  company_id integer not null references companies,
  employee_id integer not null,
  endpoint_hash bytea not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  session_id integer not null,
  created_at timestamptz not null default now(),
  primary key (company_id, employee_id, endpoint_hash),
  constraint push_subscriptions_endpoint unique (endpoint_hash),
  foreign key (company_id, employee_id) references employees,
  foreign key (company_id, session_id) references sessions on delete cascade
);
create index push_subscriptions_session on push_subscriptions (company_id, session_id);

-- A device of an owner that gets the alarms of the company by Web Push. Like a subscription of an
-- employee it belongs to the session that made it and is deleted with it. `pending` has the
-- messages that its push service has not accepted yet, by tag; they are posted again at `retry_at`.
create table owner_devices (
  company_id integer not null references companies,
  account_id integer not null,
  endpoint_hash bytea not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  session_id integer not null,
  created_at timestamptz not null default now(),
  pending jsonb not null default '{}',
  retry_at timestamptz,
  retries integer not null default 0,
  primary key (company_id, account_id, endpoint_hash),
  constraint owner_devices_endpoint unique (endpoint_hash),
  foreign key (company_id, account_id) references accounts,
  foreign key (company_id, session_id) references sessions on delete cascade
);
create index owner_devices_session on owner_devices (company_id, session_id);
create index owner_devices_retry on owner_devices (retry_at) where retry_at is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append only';
end
$$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
-- Also for the role that owns the table, which may be the service's own.
revoke update, delete, truncate on audit_log from current_user;

-- Counts of unread notifications read only the index where vacuum has been. The default waits for a
-- fifth of the table.
alter table notifications set (autovacuum_vacuum_insert_scale_factor = 0.005,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table receipts set (autovacuum_vacuum_insert_scale_factor = 0.005,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
