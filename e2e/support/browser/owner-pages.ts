import { randomUUID } from 'node:crypto';
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

/** Downloads the CSV of the open list. Returns its lines with the heading. */
export async function downloadCsv(page: Page): Promise<string[]> {
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Unduh CSV' }).click();
  return (await readFile(await (await started).path(), 'utf8')).trimEnd().split('\r\n');
}

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
  return page.getByRole('textbox', { name: 'Kunci API' }).inputValue();
}

export async function saveKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Saya sudah menyimpan kunci' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

export const composer = (page: Page) => ({
  to: page.getByRole('button', { name: /^Kepada/ }),
  options: page.getByRole('button', { name: /^Opsi/ }),
  title: page.getByRole('textbox', { name: 'Judul' }),
  body: page.getByRole('textbox', { name: 'Isi' }),
  link: page.getByRole('textbox', { name: 'Tautan' }),
  submit: page.getByRole('button', { name: /^Kirim( ke|$)/ }),
});

/** Chooses the recipients in the form of a message: "Satu orang", "Peran" or "Beberapa orang". */
export async function sendTo(page: Page, choice: string): Promise<void> {
  await composer(page).to.click();
  await page.getByRole('radiogroup', { name: 'Kepada' }).getByText(choice, { exact: true }).click();
}

/** Chooses one person in the form of a message, by a part of the name or role. */
export async function sendToOne(page: Page, words: string): Promise<void> {
  await sendTo(page, 'Satu orang');
  await page.getByRole('combobox', { name: 'Karyawan' }).fill(words);
  await page.getByRole('option', { name: words }).click();
}

export async function write(page: Page, title: string, body = 'Isi'): Promise<void> {
  await composer(page).title.fill(title);
  await composer(page).body.fill(body);
}

export async function fillSetup(page: Page): Promise<void> {
  await page.locator('[name=companyName]').fill('Toko Contoh');
  await page.locator('[name=ownerName]').fill('Pemilik Baru');
  await page.locator('[name=username]').fill(`pemilik-${randomUUID()}`);
  await page.locator('[name=password]').fill(password);
}

/** Presses a button, and the one of the same name in the dialog that it opens. */
export async function pressTwice(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

export async function expectAudited(page: Page, ...actions: string[]): Promise<void> {
  await page.goto('/owner/audit');
  for (const action of actions) await expect(page.locator(`[data-action="${action}"]`)).toHaveCount(1);
}

/** Loads the page again until this holds: the service stores some things after its answer. */
export const reloadUntil = (page: Page, holds: () => Promise<void>) =>
  expect(async () => {
    await page.reload();
    await holds();
  }).toPass({ timeout: 40_000 });
