import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, popUps, test } from '#e2e/fixtures/browser.ts';
import { root } from '#e2e/fixtures/service.ts';

const picture = join(root, 'docs', 'portal-pop-up.png');

test.use({ viewport: { width: 1100, height: 620 } });

// Remove the file to have it taken anew; a picture that changes at every run would say nothing in a diff.
test('the picture of the README shows the portal with a pop-up', async ({ page, company, signIn, send }, testInfo) => {
  const username = await company.giveAccount(await company.hire('Karyawan Contoh Satu', 'Kasir'));
  await signIn(page, username);
  await send({ judul: 'Rapat hari Senin pukul 10', isi: 'Semua hadir di aula lantai dua.' });
  await expect(popUps(page)).toHaveCount(1, { timeout: 20_000 });
  await page.goto('/portal/notifications');
  await page.waitForResponse(/\/portal\/feed/);
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
