import {
  copyCompany,
  deleteLeftovers,
  findWhereabouts,
  holdMove,
  MoveRefused,
  type Owner,
  undoMove,
} from '#db/company-move.ts';
import { connect, type Transaction } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { addressesIn, directDatabaseUrls, takeOwnerUrl } from '#platform/config/database.ts';
import { hostsOf } from '#platform/config/database-url.ts';
import { programName, silenceLog } from '#platform/config/operations.ts';
import { env } from '#platform/config/settings.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type Command, CommandError, exitCodes, type Outcome, UsageError } from '#server/command/command.ts';
import { newRequestId } from '#server/request-id.ts';

type Tell = (step: string) => void;

export const command: Command = {
  words: ['NUMBER'],
  about: 'Move a company to another PostgreSQL server.',
  details: [
    `NUMBER is the company's, SERVER is a place in DATABASE_URL, from 0 on. Its calls and pages get 503
meanwhile, for 5 seconds and the time of the copy; all others are served. Needs
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
      for (const owner of owners) await requireOwner(owner);
      return await holdMove(owners, companyId, () => move(owners, companyId, to, tell)).catch((error: unknown) => {
        throw error instanceof MoveRefused ? new CommandError('move-refused', `${error.message}.`) : error;
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
  const owners = addressesIn(takeOwnerUrl());
  return urls.map((url, server) => ({ server, url: owners[server] ?? url, sql: connect(owners[server] ?? url, 2) }));
}

async function requireOwner({ server, url }: Owner): Promise<void> {
  const isOwner = await ownsAuditLog(url).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    const text = `Server ${server} at ${hostsOf(url)} is out of reach. Nothing was changed.`;
    throw new CommandError('server-down', text, exitCodes.unreachable);
  });
  if (!isOwner)
    throw new CommandError('not-the-owner', `This role owns no tables of server ${server}. Set DATABASE_OWNER_URL.`);
}

async function move(owners: Owner[], companyId: number, to: Owner, tell: Tell): Promise<Outcome> {
  const found = await findWhereabouts(owners, companyId);
  if (!found) {
    const text = `There is no company ${companyId}. \`${programName()} company list\` shows all.`;
    throw new CommandError('no-such-company', text);
  }
  const { name, at: from, to: begun, leftOn } = found;
  const done = (text: string): Outcome => ({ text: `${text}\n`, data: { companyId, name, server: to.server } });
  const clean = async (owner: Owner, now: Owner) => {
    tell(`Its old rows on server ${owner.server} are being deleted.`);
    await deleteLeftovers(owner, companyId).catch((error: unknown) => {
      const text = `${name} is on server ${now.server} and is served. Not all old rows are deleted: ${reasonOf(error)}`;
      throw new CommandError('not-deleted', `${text}. Run this command again.`);
    });
  };
  for (const owner of leftOn) await clean(owner, from);
  if (to === from && begun) {
    await undoMove(from, begun, companyId);
    return done(`${name} is served on server ${from.server} again. Nothing was moved.`);
  }
  if (to === from && leftOn.length > 0) return done(`${name} is on server ${to.server}. The move is finished.`);
  if (to === from) throw new CommandError('same-server', `${name} is on server ${to.server} already.`);
  if (begun && begun !== to) {
    const text = `${name} moves to server ${begun.server}. Finish that first, or take it back with --to ${from.server}.`;
    throw new CommandError('moves-elsewhere', text);
  }
  tell(`${name} moves from server ${from.server} to server ${to.server}. Its calls get 503 from now on.`);
  // The entry has the time at which its transaction begins. Its request id must be of the same time.
  const requestId = newRequestId();
  const details = { server: to.server, was: { server: from.server } };
  const record = (tx: Transaction) =>
    recordAudit(tx, { companyId, kind: 'operator' }, 'company.move', details, requestId);
  const rows = await copyCompany(from, to, companyId, record).catch(async (error: unknown) => {
    const state = await undoMove(from, to, companyId).then(
      () => `It is served on server ${from.server} as before.`,
      () => `Its calls get 503 until you run this command again; --to ${from.server} takes the move back.`,
    );
    throw new CommandError('move-failed', `${name} could not be moved: ${reasonOf(error)}. ${state}`);
  });
  tell(`${rows} rows are copied and compared. Server ${to.server} serves it from now on.`);
  await clean(from, to);
  return done(`${name} is on server ${to.server}.`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
