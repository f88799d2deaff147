import { expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { makeJpeg } from '#e2e/support/data/jpeg.ts';
import { makePng } from '#e2e/support/data/png.ts';
import { findLogo } from '#server/companies/logo.ts';

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" onload="parent.hacked=1">
  <script>parent.hacked=1</script><rect width="40" height="10"/></svg>`;

test('an owner uploads a logo; it is in the header, at the sign-in, on the sheet and on a proof', async ({
  page,
  company,
  signIn,
  send,
  visit,
}) => {
  const employee = await company.hire('Siti Uji');
  await send({ user_id: employee.employeeId });
  await signIn(page, company.username, '/owner/settings/company');
  const choose = page.locator('#company input[type=file]');
  const logo = (where = page) => where.locator('header img.company-logo');
  await choose.setInputFiles(file('foto.png', 'GIF89a, though its name says PNG'));
  await expect(page.getByText('File ini bukan gambar yang bisa dibaca.')).toBeVisible();
  await expect(logo()).toHaveCount(0);

  await choose.setInputFiles(file('logo.png', makePng(1600, 400, 0xcc)));
  await expect(page.getByText('Logo tersimpan.')).toBeVisible();
  await expect(logo()).toHaveJSProperty('naturalWidth', 768);
  await expect(logo()).toHaveJSProperty('naturalHeight', 192);
  const colour = await logo().evaluate((image) => {
    const context = document.createElement('canvas').getContext('2d');
    context?.drawImage(image as HTMLImageElement, 0, 0);
    return [...(context?.getImageData(9, 9, 1, 1).data ?? [])];
  });
  expect(colour).toEqual([0xcc, 0, 0, 255]);
  await choose.setInputFiles(file('logo.svg', svg));
  await expect(logo()).toHaveJSProperty('naturalWidth', 400);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await choose.setInputFiles(file('logo.png', makePng(1600, 400, 0xcc)));
  await expect(logo()).toHaveJSProperty('naturalWidth', 768);
  const drawn = await findLogo(company.owner);
  await page.goto(`/owner/sends/1/${employee.employeeId}`);
  await expect(page.locator('main img.company-logo')).toHaveJSProperty('naturalWidth', 768);
  await page.goto('/owner/employees?account=uninvited&choose=all');
  await page.getByRole('button', { name: 'Undang 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buat 1 tautan' }).click();
  await expect(page.locator('.sheet img.company-logo')).toHaveJSProperty('naturalWidth', 768);

  const guest = await visit();
  await guest.goto('/login');
  await expect(logo(guest)).toHaveCount(0);
  await guest.goto(`/invite/${await company.invite(employee)}`);
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);
  // After the sign-out, this browser still knows whose sign-in it shows.
  await submitAccount(guest, `siti-${employee.employeeId}`);
  await expect(guest).toHaveURL('/portal/notifications');
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);
  await guest.context().clearCookies({ name: /session-token/ });
  await guest.goto('/login');
  await expect(logo(guest)).toHaveAttribute('src', `/company-logo/${drawn?.version}`);
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);

  await page.goto('/owner/settings/company');
  await choose.setInputFiles(file('logo.jpg', makeJpeg(64, 32)));
  await expect(logo()).toHaveJSProperty('naturalWidth', 64);
  await choose.setInputFiles(file('logo.png', makePng(30, 30, 9)));
  await expect(logo()).toHaveJSProperty('naturalWidth', 30);
  await page.getByRole('button', { name: 'Hapus logo' }).click();
  await expect(page.getByText('Logo dihapus.')).toBeVisible();
  await expect(logo()).toHaveCount(0);
  await guest.reload();
  await expect(logo(guest)).toHaveCount(0);
});
