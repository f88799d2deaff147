import { ensureSessionLimits } from '#db/driver/connect.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { databaseUrl, hostsOf, takeOwnerUrl } from '#platform/config/database.ts';
import { type Command, unreachable } from '#server/command/command.ts';
import { chooseMigrator, explainSetting, isOfSetting } from '#server/runtime/prepare-database.ts';

export const command: Command = {
  words: [],
  about: 'Bring the schema of the database to the newest version.',
  details: [
    'Uses DATABASE_OWNER_URL when it is set, and gives the role of DATABASE_URL its privileges. Every\nstart does this too, unless the service has no DATABASE_OWNER_URL. A failed migration changes\nnothing.',
  ],
  run: async () => {
    const ownerUrl = takeOwnerUrl();
    const { variable, url } = chooseMigrator(ownerUrl);
    const applied = await migrateDatabase(ownerUrl).catch((error: unknown) => {
      throw isOfSetting(error) ? explainSetting(variable, error) : unreachable(hostsOf(url), error);
    });
    await ensureSessionLimits(databaseUrl());
    const text = applied.length > 0 ? `Migrated: ${applied.join(', ')}.` : 'The schema is the newest.';
    return { text: `${text}\n`, data: { applied } };
  },
};
