import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { type Company, password } from '#e2e/support/data/company.ts';

/** Moves the time at which the owner last typed the password into the past. */
export async function ageProof({ owner }: Company, minutes: number): Promise<void> {
  await sql()`update sessions set proved_at = now() - ${minutes} * interval '1 minute'
    where company_id = ${owner.companyId}`;
}

/** Types the password into the dialog that asks for it before a step goes on. */
export async function provePassword(page: Page): Promise<void> {
  const asking = page.getByRole('dialog', { name: 'Pastikan ini Anda' });
  await asking.locator('[name=password]').fill(password);
  await asking.getByRole('button', { name: 'Lanjutkan' }).click();
}

/** Downloads the CSV of the open list. Returns the file name and the lines with the heading. */
export async function downloadCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Unduh CSV' }).click();
  const download = await started;
  const text = await readFile(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') };
}
