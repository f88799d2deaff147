import { createHash } from 'node:crypto';
import { db, findRow, matches } from '#db/client.ts';
import { withOwner } from '#db/company-row.ts';
import { and, eq, exists, or, sql } from '#db/drizzle.cjs';
import { accounts, companyLogos, employees } from '#db/schema/tables.ts';
import { redraw } from '#platform/redraw.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/cookies.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Account, Employee, Owner } from '#server/principals.ts';

/** The address that takes a new logo, as the body of a POST. */
export const logoPath = '/owner/settings/logo';

export const maxLogoBytes = 256 * 1024;

// A logo's version, which is in its address, and its size in pixels.
const shown = { version: companyLogos.version, width: companyLogos.width, height: companyLogos.height };

/** Somebody of a company: signed in, or with one of its invitations. */
type Member = Pick<Owner | Employee | Account, 'companyId'>;

export const findLogo = async ({ companyId }: Member) =>
  findRow(db().select(shown).from(companyLogos).where(eq(companyLogos.companyId, companyId)));

/** The PNG of this version of the company's logo, or null. Without a version, the newest. */
export async function readLogo({ companyId }: Member, version?: string): Promise<Buffer | null> {
  // PostgreSQL takes no NUL in a text.
  if (version?.includes('\0')) return null;
  const isVersion = version === undefined ? undefined : eq(companyLogos.version, version);
  const isWanted = and(eq(companyLogos.companyId, companyId), isVersion);
  const [logo] = await db().select({ png: companyLogos.png }).from(companyLogos).where(isWanted);
  return logo?.png ?? null;
}

/** The logo for the sign-in page of this browser, or null: of the last account there, if it still may sign in. */
export async function findLogoOfBrowser(cookieHeader: string | null) {
  const account = (await decodeKnownBrowser(cookieHeader))?.accounts[0];
  if (!account) return null;
  const { companyId, accountId, sessionVersion } = account;
  const isSame = matches(accounts, { companyId, id: accountId, sessionVersion });
  const isEmployee = matches(employees, { companyId, accountId, active: true });
  const employee = db().select({ id: employees.id }).from(employees).where(isEmployee);
  return findRow(
    db()
      .select({ companyId: companyLogos.companyId, ...shown })
      .from(companyLogos)
      .innerJoin(accounts, isSame)
      .where(and(eq(companyLogos.companyId, companyId), or(accounts.isOwner, accounts.isManager, exists(employee)))),
  );
}

/** Stores a new logo from a PNG, of which only the pixels are kept. The outcome names what is wrong with the file. */
export async function setLogo(owner: Owner, file: Buffer) {
  const picture = await redraw(file, 'png', 1024);
  if (typeof picture === 'string') return picture;
  const { file: png, width, height } = picture;
  const version = createHash('sha256').update(png).digest('hex').slice(0, 32);
  return withOwner(owner, async (tx) => {
    const { companyId } = owner;
    const isOwn = eq(companyLogos.companyId, companyId);
    const [before] = await db(tx).select({ logo: companyLogos.version }).from(companyLogos).where(isOwn);
    const changed = findChanges({ logo: before?.logo ?? '' }, { logo: version });
    if (!changed) return 'unchanged';
    await db(tx)
      .insert(companyLogos)
      .values({ companyId, version, png, width, height })
      .onConflictDoUpdate({
        target: companyLogos.companyId,
        set: { version, png: sql`excluded.png`, width, height, createdAt: sql`now()` },
      });
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

export async function removeLogo(owner: Owner): Promise<'removed' | 'no-logo'> {
  return withOwner(owner, async (tx) => {
    const [removed] = await db(tx)
      .delete(companyLogos)
      .where(eq(companyLogos.companyId, owner.companyId))
      .returning({ logo: companyLogos.version });
    if (!removed) return 'no-logo';
    await recordAudit(tx, owner, 'company.edit', { changes: { logo: '' }, was: removed });
    return 'removed';
  });
}
