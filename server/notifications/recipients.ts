/**
 * Who a notification is for: every active employee, one employee, everyone who has one of these
 * roles when it is sent, or these employees.
 */
export type Recipients =
  | { to: 'everyone' }
  | { to: 'one'; employeeId: number }
  | { to: 'roles'; roles: string[] }
  | { to: 'people'; employeeIds: number[] };

/** The recipients that a key may choose. */
export type OneOrEveryone = Extract<Recipients, { to: 'everyone' | 'one' }>;
