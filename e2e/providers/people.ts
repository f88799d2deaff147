import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, submitAccount } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import type { Company } from '#e2e/support/data/company.ts';

/** Presses a button of a page by its text. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Minutes since the owner's last proof, and hours until a session that its provider does not confirm ends. */
export async function readSession({ owner }: Company) {
  const [session] = await sql()<{ provedMinutes: number | null; hoursLeft: number | null }[]>`
    select (extract(epoch from now() - proved_at) / 60)::float as "provedMinutes",
      round(extract(epoch from confirm_by - now()) / 3600)::int as "hoursLeft"
    from sessions where company_id = ${owner.companyId} order by id desc limit 1`;
  return session ?? { provedMinutes: null, hoursLeft: null };
}

type There = { label: string; shown: string; identify: (page: Page) => Promise<void> };

/** The owner connects the provider `label`, reads `shown`, and proves who they are. `identify` fills in its form. */
export async function connectAndProve(page: Page, company: Company, { label, shown, identify }: There): Promise<void> {
  await page.goto('/login?returnTo=/owner/settings');
  await submitAccount(page, company.username);
  await press(page, `Sambungkan ${label}`);
  await identify(page);
  await expect(page.locator('[data-label]')).toHaveText(shown);
  await press(page, 'Ya, lanjutkan');
  await expect(page.locator('[data-identity]')).toContainText(shown);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });

  await ageProof(company, 11);
  await press(page, `Putuskan ${label}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Putuskan' }).click();
  await press(page, `Konfirmasi dengan ${label}`);
  await identify(page);
  await expect(page).toHaveURL(/\/owner\/settings/);
  expect(page.url()).not.toContain('proof=');
  expect((await readSession(company)).provedMinutes).toBeLessThan(2);
}

/** Signs out of the account's menu. */
export async function signOut(page: Page): Promise<void> {
  // The provider redirected here, so no `goto` has waited for the scripts.
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /^Akun/ }).click();
  await press(page, 'Keluar');
  await expect(page).toHaveURL('/login');
}
