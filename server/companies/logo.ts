import { createHash } from 'node:crypto';
import { findRow, sql } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { redraw } from '#platform/redraw.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Account, Employee, Owner } from '#server/principals.ts';

/** The address that takes a new logo, as the body of a POST. */
export const logoPath = '/owner/settings/logo';

export const maxLogoBytes = 256 * 1024;

const maxSide = 1024;

/** A logo's version, which is in its address, and its size in pixels. */
type Logo = Pick<Rows['companyLogos'], 'version' | 'width' | 'height'>;

/** Somebody of a company: signed in, or with one of its invitations. */
type Member = Pick<Owner | Employee | Account, 'companyId'>;

export async function findLogo({ companyId }: Member): Promise<Logo | null> {
  return findRow(sql()<Logo[]>`select version, width, height from company_logos where company_id = ${companyId}`);
}

/** The PNG of this version of the company's logo, or null. Without a version, the newest. */
export async function readLogo({ companyId }: Member, version?: string): Promise<Buffer | null> {
  // PostgreSQL takes no NUL in a text.
  if (version?.includes('\0')) return null;
  const [logo] = await sql()<Pick<Rows['companyLogos'], 'png'>[]>`
    select png from company_logos
    where company_id = ${companyId} and version = coalesce(${version ?? null}::text, version)`;
  return logo?.png ?? null;
}

/**
 * The logo for the sign-in page of this browser, or null: the logo of the last account that signed
 * in there, if it may still sign in with the same password. The cookie is encrypted, so strangers
 * cannot request the logo of a company.
 */
export async function findLogoOfBrowser(cookieHeader: string | null): Promise<(Logo & Member) | null> {
  const account = (await decodeKnownBrowser(cookieHeader))?.accounts[0];
  if (!account) return null;
  return findRow(sql()<(Logo & Member)[]>`
    select l.company_id as "companyId", l.version, l.width, l.height
    from company_logos l
    join accounts a on a.company_id = l.company_id and a.id = ${account.accountId}
      and a.session_version = ${account.sessionVersion}
    where l.company_id = ${account.companyId} and (a.is_owner or a.is_manager or exists (
      select from employees e where e.company_id = a.company_id and e.account_id = a.id and e.active))`);
}

/**
 * Stores a new logo from a PNG. Only its pixels are kept. The outcome names what is wrong with the
 * file, and is `unchanged` for the logo that is there already.
 */
export async function setLogo(
  owner: Owner,
  file: Buffer,
): Promise<'changed' | 'unchanged' | 'not-a-picture' | 'too-many-pixels'> {
  const picture = await redraw(file, 'png', maxSide);
  if (typeof picture === 'string') return picture;
  const { file: png, width, height } = picture;
  const version = createHash('sha256').update(png).digest('hex').slice(0, 32);
  return asOwner(owner, async (tx) => {
    const [before] = await tx<{ logo: Rows['companyLogos']['version'] }[]>`
      select version as logo from company_logos where company_id = ${owner.companyId}`;
    const changed = findChanges({ logo: before?.logo ?? '' }, { logo: version });
    if (!changed) return 'unchanged';
    await tx`
      insert into company_logos (company_id, version, png, width, height)
      values (${owner.companyId}, ${version}, ${png}, ${width}, ${height})
      on conflict (company_id) do update
      set version = excluded.version, png = excluded.png, width = excluded.width, height = excluded.height,
        created_at = now()`;
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

export async function removeLogo(owner: Owner): Promise<'removed' | 'no-logo'> {
  return asOwner(owner, async (tx) => {
    const [removed] = await tx<{ logo: Rows['companyLogos']['version'] }[]>`
      delete from company_logos where company_id = ${owner.companyId} returning version as logo`;
    if (!removed) return 'no-logo';
    await recordAudit(tx, owner, 'company.edit', { changes: { logo: '' }, was: removed });
    return 'removed';
  });
}
