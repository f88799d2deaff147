import { sql } from '#db/client.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { toEveryone, writeManualDraft } from '#e2e/support/data/sends.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { countUse, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { createJoinLink } from '#server/employees/join-links.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';

test('beyond a limit the form says when it works again, and keeps what was typed', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire();
  await page.setViewportSize({ width: 360, height: 640 });
  await signIn(page, company.username, '/owner/sends/new');
  const who = subjectsOf(company.owner);
  for (let used = 0; used < limits.broadcast.account.minute; used++) await countUse('broadcast', who);
  await sql()`update limit_counters set ends_at = now() + interval '230 s'
    where subject = sha256(convert_to(${`broadcast\naccount\nminute\n${who.account}`}, 'UTF8'))`;
  const title = page.getByRole('textbox', { name: 'Judul' });
  await title.fill('Rapat pukul tiga');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Di ruang depan');
  await page.getByRole('button', { name: /^Kirim/ }).click();
  await expect(page.getByText('Isian Anda tetap ada di sini: coba lagi dalam 4 menit.')).toBeInViewport({ ratio: 1 });
  await expect(title).toHaveValue('Rapat pukul tiga');
  await expect(page.locator('.held-bar > *')).toHaveCount(0);
});

test('requests from one connection are chosen together and declined; the link takes others again', async ({
  page,
  company,
  signIn,
}) => {
  const link = await createJoinLink(company.owner, { role: 'Kasir', days: 7, maxRequests: 50 });
  if (typeof link === 'string') throw new Error(link);
  noteSecret(link.token);
  const ask = async (name: string, address: string) => {
    const asked = await requestToJoin(link.token, { name, role: null }, address);
    if (typeof asked === 'object') noteSecret(asked.token);
    return asked;
  };
  await ask('Siti Contoh', '192.0.2.1');
  for (let at = 0; at < 25; at++) await ask(`Calon ${at}`, '192.0.2.2');
  expect(await ask('Calon 26', '192.0.2.2')).toBe('too-many-wait');
  await signIn(page, company.username, '/owner/employees/join');
  await expect(page.locator('[data-crowd="25"]')).toContainText('25 permintaan ini datang dari satu koneksi internet');
  await page.getByRole('button', { name: 'Pilih 25 ini' }).click();
  await expect(page.getByRole('checkbox', { name: 'Pilih Siti Contoh' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Tolak' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Tolak' }).click();
  await expect(page.locator('[data-request]')).toHaveCount(1);
  await page.getByRole('link', { name: 'Undangan' }).click();
  await expect(page.getByText('1 dari 50 permintaan')).toBeVisible();
});

test('the warning about a person names them, and offers to withdraw and to close it', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire();
  for (let sent = 0; sent < 5; sent++) await writeManualDraft(company, { ...toEveryone, title: 'Sama' });
  await signIn(page, company.username, '/owner');
  const card = page.locator('[data-alarm=repeated-broadcast]');
  await expect(card).toContainText('Pemilik Uji mengirim teks yang sama ke semua orang 5 kali');
  await expect(card.getByRole('link', { name: 'Lihat pesannya' })).toHaveAttribute('href', /sender=hand&search=Sama/);
  await expect(card.getByRole('button', { name: /Cabut/ })).toHaveCount(0);
  await card.getByRole('button', { name: 'Tarik 5 pesan ini' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Tarik/ }).click();
  await card.getByRole('button', { name: 'Tutup peringatan tentang Pemilik Uji' }).click();
  await expect(card).toHaveCount(0);
});

test('the warning about denied requests names who and how often, and leads to the entries', async ({
  page,
  company,
  signIn,
}) => {
  const { companyId, accountId } = await company.addManager('Manajer Satu');
  await sql()`insert into alarms (company_id, kind, account_id, details)
    values (${companyId}, 'denied-requests', ${accountId}, '{"title": "createKeyAction", "count": 20}')`;
  await signIn(page, company.username, '/owner');
  const card = page.locator('[data-alarm=denied-requests]');
  await expect(card).toContainText('Manajer Satu ditolak 20 kali dalam satu jam');
  await card.getByRole('link', { name: 'Lihat apa saja' }).click();
  await expect(page).toHaveURL(/\/owner\/audit\?action=access\.deny&who=person-\d+$/);
  await page.goto('/owner');
  await card.getByRole('button', { name: 'Tutup peringatan tentang Manajer Satu' }).click();
  await expect(card).toHaveCount(0);
});
