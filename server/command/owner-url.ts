import { CommandError } from '#server/command/command.ts';
import { readAddress } from '#server/database-url.ts';
import { directDatabaseUrl } from '#server/env.ts';

/**
 * The address for work on the whole database: of the schema's owner, or the service's own when one
 * role is both. It must lead past a pooler. Throws `CommandError` when none does.
 */
export function chooseOwnerUrl(ownerUrl: string | undefined): string {
  const url = ownerUrl ?? directDatabaseUrl();
  if (!readAddress(url).isPooled) return url;
  throw new CommandError(
    'pooler',
    `${ownerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'} leads to a pooler, through which this does not work. Set ${ownerUrl ? 'it' : 'DATABASE_DIRECT_URL'} to the address past the pooler.`,
  );
}
