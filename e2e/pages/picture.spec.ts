import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '#db/client.ts';
import { bell, expect, popUps, test } from '#e2e/support/browser/browser.ts';
import { root } from '#e2e/support/service/service.ts';

const picture = join(root, 'docs', 'portal-pop-up.png');

test.use({ viewport: { width: 1100, height: 620 } });

// Delete the file to take the picture again. Otherwise each run would change it.
test('the README’s picture shows the portal with a pop-up', async ({ page, company, signIn, send }, testInfo) => {
  await sql()`update companies set name = 'Perusahaan Contoh' where id = ${company.owner.companyId}`;
  const username = await company.giveAccount(await company.hire('Karyawan Contoh Satu', 'Kasir'));
  const sent = [
    { judul: 'Selamat datang di portal', isi: 'Pesan dari perusahaan akan muncul di sini.' },
    { judul: 'Absen pulang belum tercatat', isi: 'Mohon lapor ke atasan sebelum pukul 18.00.', jenis: 'absen' },
    { judul: 'Rapat hari Senin pukul 10', isi: 'Semua hadir di aula lantai dua.', url: '/portal' },
  ];
  for (const fields of sent) await send(fields);
  await signIn(page, username);
  await popUps(page).getByRole('link', { name: 'Lihat semua' }).click();
  await expect(page.getByRole('heading', { name: 'Notifikasi', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Selamat datang di portal' }).click();
  await expect(bell(page, 2)).toBeVisible();
  await send({
    judul: 'Gaji November sudah masuk',
    isi: 'Slip gaji dapat dilihat di portal.',
    jenis: 'gaji',
    url: '/portal',
  });
  const popUp = popUps(page).filter({ hasText: 'Gaji November' });
  await expect(popUp).toBeVisible({ timeout: 20_000 });
  await expect(popUp).toHaveAttribute('data-mounted', 'true');
  await page.screenshot({
    path: existsSync(picture) ? testInfo.outputPath('portal.png') : picture,
    animations: 'disabled',
  });
});
