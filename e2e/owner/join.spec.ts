import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright/test';
import { sql } from '#db/client.ts';
import {
  countTones,
  expect,
  expectSoundOn,
  popUps,
  submitAccount,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { countUse, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';

const phone = { viewport: { width: 360, height: 740 } };
test.describe('on a phone', () => {
  test.use(phone);

  test('people ask to join with a link, the owner approves on a phone, and the first message rings', async ({
    page,
    company,
    signIn,
    visit,
    send,
  }) => {
    test.slow();
    await company.hire('Nama Sama', 'Sopir');
    await signIn(page, company.username, '/owner/employees');
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await page.getByRole('menuitem', { name: 'Tautan & QR gabung' }).click();
    await page.getByRole('link', { name: 'Permintaan' }).click();
    await expect(page.getByText('Belum ada permintaan.')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Undangan' }).first().click();
    await page.getByRole('button', { name: 'Buat tautan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Buat tautan' }).click();
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
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.poster [data-link]')).toHaveText(link);
    await page.emulateMedia({ media: 'screen' });
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
    const warning = odd.getByText('Nama yang sama: Sopir');
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [line, whole] = [await boxOf(odd.locator('[data-at=second]')), await boxOf(warning)];
    expect(whole.y).toBeGreaterThanOrEqual(line.y + line.height);
    expect(await warning.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const buttons = [odd.getByRole('button', { name: /^Setujui/ }), odd.getByRole('button', { name: /^Tolak/ })];
    const [approve, decline] = await Promise.all(buttons.map(boxOf));
    expect(approve?.y).toBe(decline?.y);
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
    await expect(popUps(siti).filter({ hasText: 'Selamat bergabung' })).toBeVisible(within20s);
    await expect.poll(tones, within20s).toBeGreaterThan(0);

    await siti.goto(waiting);
    await expect(siti.getByRole('heading', { name: 'Anda sudah bergabung' })).toBeVisible();
    await page.goto('/owner/employees/invitations');
    await page.getByRole('button', { name: 'Cabut' }).click();
    await dialog.getByRole('button', { name: 'Cabut' }).click();
    await expect(page.getByText('Belum ada tautan yang berlaku.')).toBeVisible();
    const late = await visit(phone);
    await late.goto(link);
    await expect(late.getByRole('heading', { name: 'Tautan ini tidak bisa dipakai' })).toBeVisible();
    await page.goto('/owner/audit');
    for (const action of ['join.open', 'join.show', 'join.approve', 'join.decline', 'join.close'])
      await expect(page.locator(`[data-action="${action}"]`)).toHaveCount(1);
    await expect(page.locator('[data-action="join.request"]').first()).toBeVisible();
  });
});

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
