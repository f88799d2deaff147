'use server';

import { z } from 'zod';
import { done } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { listEmployees } from '#server/employees/employee-list.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listSends } from '#server/sends/history/send-list.ts';

const limit = 5;

/** Finds up to 5 employees, sends and, for an owner, keys, whose names or texts contain each word. */
export const searchCompanyAction = managerAction.within(null)(
  z.object({ search: z.string().trim().min(1).max(200) }),
  async (manager, input) => {
    const search = input.search.replaceAll('\0', '').toWellFormed();
    const [people, { sends }, keys] = await Promise.all([
      listEmployees(manager, { search }, { limit }),
      listSends(manager, { filter: { search }, limit }),
      manager.kind === 'owner' ? listKeys(manager) : [],
    ]);
    const isMatch = ({ name }: { name: string }) => name.toLowerCase().includes(search.toLowerCase());
    return done({
      people: people.map(({ id, name, role }) => ({ id, name, role })),
      sends: sends.map(({ no, title, createdAt }) => ({ no, title, createdAt })),
      keys: keys.filter(isMatch).slice(0, limit),
    });
  },
);
