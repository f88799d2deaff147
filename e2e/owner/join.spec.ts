import { randomUUID } from 'node:crypto';
import { countTones, expect, submitAccount, test, within20s } from '#e2e/support/browser/browser.ts';
import { ageProof, expectAudited, pressTwice, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { expectPopUp, expectSoundOn } from '#e2e/support/browser/portal-pages.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';

const phone = { viewport: { width: 360, height: 740 } };
test.use(phone);

test('people ask to join, the owner approves, and a message rings', async ({ company, visit, send, openOwner }) => {
  test.slow();
  await company.hire('Nama Sama', 'Sopir');
  const page = await openOwner('/owner/employees');
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Tautan & QR gabung' }).click();
  await page.getByRole('link', { name: 'Permintaan' }).click();
  await expect(page.getByText('Belum ada permintaan.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Undangan' }).first().click();
  const dialog = page.getByRole('dialog');
  await pressTwice(page, 'Buat tautan');
  await expect(dialog.getByRole('img', { name: /Kode QR/ })).toBeVisible();
  const link = await dialog.getByRole('textbox', { name: 'Tautan gabung' }).inputValue();
  noteSecret(link.split('/').at(-1) ?? '');
  await expect(dialog.getByRole('button', { name: 'Cetak poster' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.poster [data-link]')).toHaveText(link);
  await expect(page.getByRole('listitem').filter({ hasText: 'Pindai kode ini' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();
  await page.reload();
  await page.getByRole('button', { name: 'Buka tautan untuk Semua peran' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Tautan gabung' })).toHaveValue(link);
  await expect(dialog.getByRole('link', { name: 'Kirim lewat WhatsApp' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();

  const siti = await visit(phone);
  const tones = await countTones(siti);
  await siti.goto(link);
  await expect(siti.getByRole('heading', { name: `Bergabung dengan ${company.owner.companyName}` })).toBeVisible();
  await siti.getByRole('button', { name: 'Minta bergabung' }).click();
  await expect(siti.getByText('Wajib diisi')).toHaveCount(2);
  await siti.getByRole('textbox', { name: 'Nama lengkap' }).fill('Siti Contoh');
  await siti.getByRole('textbox', { name: 'Pekerjaan atau bagian' }).fill('kasir');
  await siti.getByRole('button', { name: 'Minta bergabung' }).click();
  await expect(siti.getByRole('heading', { name: 'Permintaan Anda sudah terkirim' })).toBeVisible();
  const waiting = siti.url();
  noteSecret(waiting.split('/').at(-1) ?? '');
  await siti.goto(link);
  await expect(siti, 'the same link leads to the request').toHaveURL(new RegExp(`^${waiting}`));
  await expect(siti.getByRole('link', { name: 'Bukan Siti Contoh? Minta bergabung' })).toBeVisible();
  for (const name of ['nama sama', 'Orang Iseng']) {
    const asked = await requestToJoin(link.split('/').at(-1) ?? '', { name, role: 'Kasir' }, '192.0.2.1');
    noteSecret(typeof asked === 'string' ? '' : asked.token);
  }

  await page.goto('/owner');
  await ageProof(company, 60);
  await page.getByRole('link', { name: /3 orang ingin bergabung/ }).click();
  const rows = page.locator('[data-request]');
  await expect(rows).toHaveCount(3);
  const odd = rows.filter({ hasText: 'nama sama' });
  await expect(odd.locator('[data-at=second]')).toHaveText(/^Kasir · Diminta /);
  await expect(odd).toContainText('Nama yang sama: Sopir');
  await page.getByRole('checkbox', { name: 'Pilih Orang Iseng' }).check();
  await page.getByRole('button', { name: 'Tolak', exact: true }).click();
  await dialog.getByRole('button', { name: 'Tolak' }).click();
  await expect(rows).toHaveCount(2);

  // A correction before the approval, which gives access and so asks for the password.
  await page.getByRole('button', { name: 'Periksa permintaan Siti Contoh' }).click();
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('Siti Aminah');
  await dialog.getByRole('combobox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Setujui' }).click();
  await provePassword(page);
  await expect(rows).toHaveCount(1);

  // The waiting page notices it by itself.
  await expect(siti).toHaveURL(/\/invite\//, { timeout: 60_000 });
  await expect(siti.getByRole('heading', { name: 'Selamat datang, Siti Aminah' })).toBeVisible();
  await submitAccount(siti, `siti-${randomUUID()}`);
  await expect(siti).toHaveURL(/\/portal\/notifications$/, { timeout: 30_000 });
  await expectSoundOn(siti);
  await send({ judul: 'Selamat bergabung', isi: 'Halo', user_id: 0 });
  await expectPopUp(siti, 'Selamat bergabung');
  await expect.poll(tones, within20s).toBeGreaterThan(0);

  await siti.goto(waiting);
  await expect(siti.getByRole('heading', { name: 'Anda sudah bergabung' })).toBeVisible();
  await page.goto('/owner/employees/invitations');
  await pressTwice(page, 'Cabut');
  await expect(page.getByText('Belum ada tautan yang berlaku.')).toBeVisible();
  const late = await visit(phone);
  await late.goto(link);
  await expect(late.getByRole('heading', { name: 'Tautan ini tidak bisa dipakai' })).toBeVisible();
  await expectAudited(page, 'join.open', 'join.show', 'join.approve', 'join.decline', 'join.close');
  await expect(page.locator('[data-action="join.request"]').first()).toBeVisible();
});
