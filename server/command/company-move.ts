import {
  copyCompany,
  deleteLeftovers,
  findWhereabouts,
  holdMove,
  MoveRefused,
  type Owner,
  undoMove,
} from '#db/company-move.ts';
import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable, isDuplicate } from '#db/driver/errors.ts';
import { readSchemaState } from '#db/migrate.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { addressesIn, directDatabaseUrls, takeOwnerUrl } from '#platform/config/database.ts';
import { hostsOf } from '#platform/config/database-url.ts';
import { programName, silenceLog } from '#platform/config/operations.ts';
import { env } from '#platform/config/settings.ts';
import { type Command, CommandError, exitCodes, type Outcome, UsageError } from '#server/command/command.ts';

type Tell = (step: string) => void;
type Move = { owners: Owner[]; companyId: number; to: Owner; tell: Tell };

const openOwner = (url: string, server: number): Owner => ({ server, url, sql: connect(url, 2) });

/** `notif company move`: moves a company to another PostgreSQL server. */
export const command: Command = {
  words: ['NUMBER'],
  about: 'Move a company to another PostgreSQL server.',
  details: [
    `NUMBER is the company's, SERVER is a place in DATABASE_URL, from 0 on. Calls and pages of the company get
503 meanwhile, for 4 seconds and the time of the copy; all others are served. Needs
DATABASE_OWNER_URL when the service's role does not own the tables. All servers must be up.`,
    `The same command finishes a run that was ended at any moment. With the server on which the company
is, it takes the move back.`,
  ],
  options: { to: { value: 'SERVER', description: 'the server to which it moves' } },
  run: async (given) => {
    silenceLog();
    const companyId = asNumber(given.words[0], 'NUMBER is the number of a company');
    const server = asNumber(given.options.to, '--to names a server by its number, from 0 on');
    const tell: Tell = (step) => given.options.json !== true && process.stderr.write(`${step}\n`);
    const owners = openOwners();
    try {
      const to = owners[server];
      if (!to)
        throw new CommandError('no-such-server', `There is no server ${server}, only 0 to ${owners.length - 1}.`);
      for (const owner of owners) await requireReady(owner);
      return await holdMove(owners, companyId, () => move({ owners, companyId, to, tell })).catch((error: unknown) => {
        throw error instanceof MoveRefused ? new CommandError('move-refused', error.message) : error;
      });
    } finally {
      await Promise.all(owners.map(({ sql }) => sql.end({ timeout: 1 })));
    }
  },
};

function asNumber(text: string | true | undefined, rule: string): number {
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${rule}. \`${programName()} company list\` shows both.`);
}

function openOwners(): Owner[] {
  const urls = env().trial ? [] : directDatabaseUrls();
  if (urls.length < 2)
    throw new CommandError('one-server', 'DATABASE_URL names one server only. docs/scale.md says how to add another.');
  const given = addressesIn(takeOwnerUrl());
  if (given.length > 0 && given.length !== urls.length)
    throw new CommandError('wrong-settings', 'DATABASE_OWNER_URL must have as many addresses as DATABASE_URL.');
  return (given.length > 0 ? given : urls).map(openOwner);
}

async function requireReady({ server, url, sql }: Owner): Promise<void> {
  const place = `Server ${server} at ${hostsOf(url)}`;
  try {
    const { missing, isNewer } = await readSchemaState(sql);
    if (missing > 0 || isNewer)
      throw new CommandError(
        'other-schema',
        `${place} has the schema of another version. Run \`${programName()} migrate\`.`,
      );
    if (!(await ownsAuditLog(url)))
      throw new CommandError('not-the-owner', `${place}: this role does not own the tables. Set DATABASE_OWNER_URL.`);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new CommandError('server-down', `${place} is out of reach. Nothing was changed.`, exitCodes.unreachable);
  }
}

async function move({ owners, companyId, to, tell }: Move): Promise<Outcome> {
  const found = await findWhereabouts(owners, companyId);
  if (!found)
    throw new CommandError(
      'no-such-company',
      `There is no company ${companyId}. \`${programName()} company list\` shows all.`,
    );
  const { name, movesTo, leftOn } = found;
  const from = ownerOf(owners, found.server);
  const data = { companyId, companyName: name, server: to.server };
  for (const server of leftOn) await clean(ownerOf(owners, server), companyId, { name, at: from, tell });
  if (to === from && movesTo !== null) {
    await undoMove(from, ownerOf(owners, movesTo), companyId);
    return { text: `${name} is served on server ${from.server} again. Nothing was moved.\n`, data };
  }
  if (to === from && leftOn.length > 0)
    return { text: `${name} is on server ${to.server}. The move is finished.\n`, data };
  if (to === from)
    throw new CommandError('same-server', `${name} is on server ${to.server} already. Nothing was changed.`);
  if (movesTo !== null && movesTo !== to.server)
    throw new CommandError(
      'moves-elsewhere',
      `${name} moves to server ${movesTo}. Finish that with --to ${movesTo}, or take it back with --to ${from.server}.`,
    );
  tell(`${name} moves from server ${from.server} to server ${to.server}. Its calls get 503 from now on.`);
  const startedAt = performance.now();
  const rows = await copyCompany(from, to, companyId).catch((error: unknown) =>
    takeBack(error, { from, to, companyId, name }),
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  tell(`${rows} rows are copied and compared. Server ${to.server} serves it, after ${seconds} s.`);
  await clean(from, companyId, { name, at: to, tell });
  return { text: `${name} is on server ${to.server}.\n`, data: { ...data, rows } };
}

function ownerOf(owners: Owner[], server: number): Owner {
  const owner = owners[server];
  if (!owner) throw new CommandError('no-such-server', `The company names server ${server}, which DATABASE_URL lacks.`);
  return owner;
}

type Taken = { from: Owner; to: Owner; companyId: number; name: string };

// With new connections: one of the others may be lost.
async function takeBack(error: unknown, { from, to, companyId, name }: Taken): Promise<never> {
  const again = [from, to].map(({ url, server }) => openOwner(url, server)) as [Owner, Owner];
  const isBack = await undoMove(...again, companyId).then(
    () => true,
    () => false,
  );
  await Promise.all(again.map(({ sql }) => sql.end({ timeout: 1 })));
  const reason = isDuplicate(error, 'accounts_username')
    ? `Server ${to.server} has a username of this company already; rename one.`
    : `The move failed: ${error instanceof Error ? error.message : error}.`;
  throw isBack
    ? new CommandError('move-failed', `${reason} ${name} is served on server ${from.server} as before.`)
    : new CommandError(
        'move-unfinished',
        `${reason} Calls of ${name} get 503 until you run this command again, or with --to ${from.server} to take it back.`,
      );
}

async function clean(owner: Owner, companyId: number, { name, at, tell }: { name: string; at: Owner; tell: Tell }) {
  tell(`Its old rows on server ${owner.server} are being deleted.`);
  await deleteLeftovers(owner, companyId).catch((error: unknown) => {
    throw new CommandError(
      'not-deleted',
      `${name} is on server ${at.server} and is served. Its old rows on server ${owner.server} could not all be deleted: ${error instanceof Error ? error.message : error} Run this command again.`,
    );
  });
}
