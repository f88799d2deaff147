import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
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

/** The row of a key on the page of keys. */
export const keyRow = (page: Page, name: string) => page.locator(`[data-key="${name}"]`);

/** Opens the menu of a key's row and chooses an action, which opens a dialog. */
export async function chooseForKey(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCount(0);
  // A dialog returns the focus one frame after it closes, which would close a menu that is already open.
  await expect(async () => {
    if ((await dialog.count()) > 0) return;
    await page.getByRole('button', { name: `Tindakan untuk kunci ${name}`, exact: true }).click({ timeout: 2000 });
    await page.getByRole('menuitem', { name: action, exact: true }).click({ timeout: 2000 });
  }).toPass();
}

/** Creates a key on the page and returns its text. Leaves the dialog open. */
export async function createOnPage(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  await page.getByRole('textbox', { name: 'Nama kunci' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' }).click();
  return shownKey(page);
}

/** The text of the key in the open dialog. */
export const shownKey = (page: Page) => page.getByRole('textbox', { name: 'Kunci API' }).inputValue();

/** Confirms that the key is saved, which closes the dialog. */
export async function saveKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Saya sudah menyimpan kunci' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Calls the public interface with a given address and user agent. */
export async function callFrom(
  baseUrl: string | undefined,
  { address = '203.0.113.7', client = 'curl/8.5', search = '?aksi=ping', ...init }: CallFrom,
): Promise<{ status: number; requestId: string }> {
  const headers = { 'X-Forwarded-For': address, 'User-Agent': client, ...(init.headers as Record<string, string>) };
  const response = await fetch(`${baseUrl}/api/v1/notif.php${search}`, { ...init, headers });
  await response.text();
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' };
}

type CallFrom = RequestInit & { address?: string; client?: string; search?: string };
