import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, companyId, createdAt, numbered, timestampTz } from '#db/schema/companies.ts';

/**
 * An account of an owner, a manager or an employee. An employee may also be an owner or a manager;
 * nobody is both of these. `ownerSince` is set for an account that became an owner after
 * `createdAt`. Without `passwordHash` the person signs in with an identity or a passkey only.
 */
export const accounts = pgTable(
  'accounts',
  (t) => ({
    ...numbered(),
    username: t.varchar({ length: 254 }).notNull(),
    name: t.varchar({ length: 120 }).notNull(),
    passwordHash: t.text(),
    isOwner: t.boolean().notNull().default(false),
    isManager: t.boolean().notNull().default(false),
    ownerSince: timestampTz(),
    signedInAt: timestampTz(),
    language: t.text(),
    sessionVersion: t.integer().notNull().default(1),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('accounts_username').on(sql`lower(${t.username})`),
    index('accounts_owners').on(t.companyId).where(sql`${t.isOwner}`),
    index('accounts_managers').on(t.companyId).where(sql`${t.isManager}`),
    check('accounts_owner_or_manager', sql`not (${t.isOwner} and ${t.isManager})`),
  ],
);

/**
 * A signed-in browser; the session cookie holds its id. `provedAt` is the last time the person
 * proved there who they are. `hasSecondFactor` says that a passkey, a recovery code or a provider
 * was part of it. Ending a session deletes its row.
 */
export const sessions = pgTable(
  'sessions',
  (t) => ({
    ...numbered(),
    accountId: t.integer().notNull(),
    createdAt: createdAt(),
    seenAt: timestampTz().notNull().defaultNow(),
    provedAt: timestampTz().notNull().defaultNow(),
    hasSecondFactor: t.boolean().notNull().default(false),
    expiresAt: timestampTz().notNull(),
    address: t.text().notNull(),
    client: t.text().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('sessions_account').on(t.companyId, t.accountId),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * An identity of an account at a provider of OpenID Connect: `subject` is the provider's `sub`.
 * `label` is what the provider calls the person; it is only shown.
 */
export const identities = pgTable(
  'identities',
  (t) => ({
    ...numbered(),
    accountId: t.integer().notNull(),
    issuer: t.text().notNull(),
    subject: t.text().notNull(),
    label: t.text().notNull(),
    createdAt: createdAt(),
    usedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('identities_subject').on(t.issuer, t.subject),
    index('identities_account').on(t.companyId, t.accountId),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A passkey of an account. `credentialId`, `publicKey` and `counter` are those of WebAuthn;
 * `transports` says how a browser reaches it.
 */
export const passkeys = pgTable(
  'passkeys',
  (t) => ({
    ...numbered(),
    accountId: t.integer().notNull(),
    name: t.varchar({ length: 120 }).notNull(),
    credentialId: bytea().notNull(),
    publicKey: bytea().notNull(),
    counter: t.bigint({ mode: 'number' }).notNull(),
    transports: t.text().array().notNull(),
    createdAt: createdAt(),
    usedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('passkeys_credential').on(t.credentialId),
    index('passkeys_account').on(t.companyId, t.accountId),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** The recovery codes of an account that are not used yet, as SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  (t) => ({
    companyId: companyId(),
    accountId: t.integer().notNull(),
    codeHash: bytea().notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.accountId, t.codeHash] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * Counters of all limits: failed sign-ins and other secrets, and what people do. `subject` is a hash
 * of what is counted together, such as a name and an address. At `endsAt` the count begins anew.
 */
export const limitCounters = pgTable('limit_counters', (t) => ({
  subject: bytea().primaryKey(),
  uses: t.integer().notNull(),
  endsAt: timestampTz().notNull(),
}));

/**
 * Wrong passwords for an account from unknown browsers, for the owners' alarm. `source` is a hash
 * of the client's network. Rows without a new failure for an hour are deleted.
 */
export const failedSignIns = pgTable(
  'failed_sign_ins',
  (t) => ({
    companyId: companyId(),
    accountId: t.integer().notNull(),
    source: bytea().notNull(),
    startedAt: timestampTz().notNull().defaultNow(),
    lastAt: timestampTz().notNull().defaultNow(),
    failures: t.integer().notNull().default(1),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.accountId, t.source] }),
    index('failed_sign_ins_last').on(t.lastAt),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);
