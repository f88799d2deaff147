import type { Language } from '#platform/language.ts';

/** What a principal carries of its company. */
type Company = { companyId: number; companyName: string; timeZone: string };

/** The principal of the public interface: an active API key and the company it belongs to. */
export type ApiKey = { kind: 'key'; id: number; name: string } & Omit<Company, 'timeZone'>;

/** The account of a signed-in person: an owner, a manager or an employee. */
export type Account = Company & { accountId: number; name: string; username: string; language: Language | null };

/** What names an account. */
export type AccountId = Pick<Account, 'companyId' | 'accountId'>;

/** The principal of the management area: an owner, who acts on their own company only. */
export type Owner = Company & { kind: 'owner'; accountId: number; name: string };

/**
 * The principal of sending and of the management of employees: a manager, or an owner, who may do
 * all that a manager may. A function that takes an `Owner` refuses managers.
 */
export type Manager = Omit<Owner, 'kind'> & { kind: 'owner' | 'manager' };

/** Thrown where a person changes something although their rights or session ended meanwhile. Nothing was changed. */
export class RightsEnded extends Error {}

/** The principal of the portal: an active employee, who sees their own notifications only. */
export type Employee = Company & { kind: 'employee'; employeeId: number; name: string };

/**
 * The principal of the command line: the person who runs the service, with its settings at hand. An operator acts on
 * every company, and each change is in that company's audit log.
 */
export type Operator = { kind: 'operator' };

/**
 * A session that is valid now, by the database's clock; it is checked again after `lastsMs`, an hour at most. `isSeen`:
 * its latest activity is recorded. `reauthenticated`: the password was typed in it within the last
 * `reauthenticatedMinutes`. `lastNo` is the company's newest number; the employee gets everything above `activeFromNo`
 * without a break. A session of the company can end before it expires only when the company's `accessNo` changes.
 * `manager` is set for owners too. With `needsSecondFactor` both are null until the owner or manager proves a second
 * factor, which their company requires from `secondFactorFrom`. `linkBase`: the company's own portal, to which links
 * lead. `issuer`: of the provider that opened it, or null; `asksProvider`: it must confirm the session soon. A session
 * that is not `isConfirmed` rings, and has no other right. With `endsSoon` it rings for an hour at most.
 */
export type Session = {
  account: Account;
  owner: Owner | null;
  manager: Manager | null;
  employee: Employee | null;
  sessionId: number;
  sessionVersion: number;
  isSeen: boolean;
  reauthenticated: boolean;
  hasSecondFactor: boolean;
  needsSecondFactor: boolean;
  secondFactorFrom: Date | null;
  lastNo: number;
  activeFromNo: number | null;
  accessNo: number;
  lastsMs: number;
  linkBase: string | null;
  issuer: string | null;
  asksProvider: boolean;
  isConfirmed: boolean;
  endsSoon: boolean;
};

/** An account at a version of its sessions. A session of an earlier version has ended. */
export type AccountVersion = AccountId & { sessionVersion: number };

/**
 * An account that was just authenticated. `hasSecondFactor`: not with a password alone.
 * `reauthenticated` is false when a provider knew the person and may have asked for nothing. `issuer`
 * is that of the provider, if it was one, and `providerSid` its own session.
 */
export type AuthenticatedAccount = AccountVersion & {
  hasSecondFactor?: boolean;
  reauthenticated?: boolean;
  issuer?: string | null;
  providerSid?: string | null;
};

/** Somebody proved this account, but its company allows one provider only, see `findStepToProvider`. */
export type OnlyProvider = { onlyProviderOf: AuthenticatedAccount };
