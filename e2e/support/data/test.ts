import { test as base } from 'vitest';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';

/** Vitest's test, to which companies and people come as Playwright's fixtures do: only those that it names. */
export const test = base
  .extend('company', () => makeCompany())
  .extend('other', () => makeCompany())
  .extend('owner', ({ company }) => company.owner)
  .extend('username', ({ company }) => company.username)
  .extend('companyId', ({ owner }) => owner.companyId)
  .extend('employee', ({ company }) => company.hire())
  .extend('manager', ({ company }) => company.addManager())
  .extend('key', ({ company }) => company.newKey())
  .extend('sender', ({ key }) => principalOf(key));
