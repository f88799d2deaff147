import { expect, test } from '#e2e/support/browser/browser.ts';
import { builtAddresses } from '#e2e/support/service/build.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';

// On a phone, tables scroll in themselves.
const widths = [1100, 1024, 900, 360];
const ownerPages = builtAddresses
  .filter(({ kind, path }) => kind === 'page' && /^\/owner(?:\/|$)/.test(path))
  .map(({ path }) => path);

// In Indonesian, whose texts are the longer ones.
test('no page of an owner is wider than a small laptop, a tablet or a phone', async ({
  page,
  company,
  signIn,
  send,
}) => {
  test.slow();
  const long = await company.hire('Nama Yang Sangat Panjang Sekali Tanpa Putus '.repeat(2), 'Kepala Kasir Senior');
  await company.giveAccount(long);
  await company.deactivate(await company.hire('Muhammad Rizky Ramadhan Putra Pratama', 'Pengemudi'));
  await company.newKey('Sistem penggajian dan kasbon cabang Surabaya');
  await setMustConfirmKinds(company.owner, ['info']);
  await send({ judul: 'Pengumuman jadwal kerja bulan Desember untuk semua cabang' });
  await fetch(`${process.env.SERVICE_URL}/api/v1/notif.php`, { headers: { 'X-API-Key': 'jss_salah' } });
  await signIn(page, company.username);
  const wide: string[] = [];
  for (const path of [...ownerPages, '/owner/keys?state=revoked', `/owner/employees/${long.employeeId}`]) {
    await page.goto(path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 });
      const { over, parts } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const boxes = [...document.querySelectorAll<HTMLElement>('main *')].filter((one) => one.checkVisibility());
        // A text that an ancestor cuts off with an ellipsis is no wider than that ancestor.
        const isCut = (one: HTMLElement): boolean =>
          one.parentElement !== null &&
          (getComputedStyle(one.parentElement).overflowX !== 'visible' || isCut(one.parentElement));
        const isBeyond = (one: HTMLElement) => one.getBoundingClientRect().right > clientWidth + 1 && !isCut(one);
        const names = boxes.filter(isBeyond).map((one) => `${one.tagName}.${one.className}`);
        return { over: scrollWidth - clientWidth, parts: names.slice(0, 3) };
      });
      if (over !== 0 || (width > 360 && parts.length > 0))
        wide.push(`${path} at ${width}: ${over} px, ${parts.join(', ')}`);
    }
  }
  expect(wide).toEqual([]);
});
