import { check, listSmallTargets, looks } from '#e2e/support/browser/accessible.ts';
import { entries, expect, popUps, test } from '#e2e/support/browser/browser.ts';
import { addLongTexts } from '#e2e/support/browser/every-page.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

// Pages are in every-page.spec.ts, what opens on them in opened-parts.spec.ts.
for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('the pop-ups pass axe and fit the screen', async ({ page, signInAsEmployee, send }) => {
      await signInAsEmployee(page, '/portal/help', 'Karyawan Uji Dengan Nama Panjang');
      const longest = { judul: 'W'.repeat(draftLimits.title), isi: 'M'.repeat(draftLimits.body) };
      await send({ ...longest, url: `/${'a'.repeat(200)}` });
      await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-mounted', 'true');
      await send({ judul: 'Gaji', jenis: 'gaji' });
      // A phone shows one card at a time: the summary takes the place of the first one.
      if (width < 768) await expect(page.getByText(/^2 (notifikasi baru|new notifications)$/).first()).toBeVisible();
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(width < 768 ? 1 : 2);
      await expect(page.locator('[data-sonner-toast]').first()).toHaveCSS('opacity', '1');
      await check(page, 'pop-ups');
    });

    test('what an owner gets from a form passes axe and fits', async ({ page, company, signIn }) => {
      test.slow();
      const { employeeId } = await addLongTexts(company);
      await countCompany(company.owner);
      const dialog = page.getByRole('dialog');
      await signIn(page, company.username, '/owner/statistics');
      await check(page, 'statistics with figures');
      if (width === 360) expect(await listSmallTargets(page)).toEqual([]);
      await page.goto(`/owner/sends?employee=${employeeId}`);
      await check(page, 'the sends of one person');

      await page.goto('/owner/keys');
      const create = /^(Buat kunci|Create key)$/;
      await page.getByRole('button', { name: create }).click();
      await dialog.getByRole('textbox').first().fill('kunci axe');
      await dialog.getByRole('button', { name: create }).click();
      await expect(dialog.getByText(/hanya ditampilkan satu kali|shown only once/)).toBeVisible();
      await expect(dialog).toHaveCSS('opacity', '1');
      await check(page, 'the key shown once');

      await page.goto('/owner/employees?account=uninvited&choose=all');
      // A phone has a menu for the actions.
      const actions = page.getByRole('button', { name: /^(Tindakan|Actions)$/ });
      const invite = page.getByText(/^(Undang|Invite) \d/).filter({ visible: true });
      await expect(actions.filter({ visible: true }).or(invite).first()).toBeVisible();
      if (await actions.isVisible()) await actions.click();
      await invite.click();
      await dialog.getByRole('button', { name: /^(Buat|Create) \d / }).click();
      await expect(dialog.getByRole('button', { name: /^(Cetak|Print)$/ })).toBeVisible();
      await check(page, 'links to send or to print');

      await page.goto('/owner/settings/data');
      await page.locator('#export button').click();
      // On a busy machine the copy takes longer than other answers.
      await expect(page.locator('a[download]')).toBeVisible({ timeout: 60_000 });
      await check(page, 'an export');
    });
  });
}

test('with a keyboard people are chosen and deactivated, and the focus stays', async ({ company, openOwner }) => {
  await company.hire('Budi Uji');
  await company.hire('Siti Uji');
  const page = await openOwner('/owner/employees');
  await page.setViewportSize({ width: 360, height: 740 });
  const press = async (role: 'button' | 'checkbox', name: string, key: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await target.focus();
    await expect(target).toBeFocused();
    await page.keyboard.press(key);
  };
  const enterMenu = () =>
    expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(page.locator('[role=menuitem]:focus')).toHaveCount(1, { timeout: 1000 });
    }).toPass();
  await press('button', 'Pilih beberapa', 'Enter');
  await press('checkbox', 'Pilih Budi Uji', 'Space');
  await expect(page.getByText('1 dipilih')).toBeVisible();
  await press('button', 'Tindakan', 'Enter');
  await enterMenu();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Nonaktifkan' })).toBeFocused();
  // Escape closes the menu alone: Budi stays chosen.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Tindakan', exact: true })).toBeFocused();
  await expect(page.getByText('1 dipilih')).toBeVisible();
  await page.keyboard.press('Enter');
  await enterMenu();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Nonaktifkan' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Nonaktifkan 1 karyawan?');
  await dialog.getByRole('button', { name: 'Nonaktifkan' }).press('Enter');
  await expect(page.getByText('1 karyawan dinonaktifkan.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

// An iPhone with a notch in its app mode, and lying on its side.
const upright = { width: 390, height: 844, insets: { top: 59, right: 0, bottom: 34, left: 0 } };
const lying = { width: 844, height: 390, insets: { top: 0, right: 59, bottom: 21, left: 59 } };

test('nothing lies under the notch or gesture bar of a phone', async ({ page, context, signInAsEmployee, send }) => {
  const session = await context.newCDPSession(page);
  await signInAsEmployee(page);
  await send({ judul: 'Kabar kantin' });
  await expect(popUps(page)).toBeVisible();
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(1);
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /viewport-fit=cover/);
  await context.setOffline(true);
  await expect(page.locator('.status-bar')).toContainText('offline');
  for (const { width, height, insets } of [upright, lying]) {
    await page.setViewportSize({ width, height });
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
    const covered = await page.evaluate(({ top, right, bottom, left }) => {
      const room = { top, left, right: innerWidth - right, bottom: innerHeight - bottom };
      const parts = '.frame-header :is(a, button), .frame-side a, .frame-bottom a, .status-line, [data-sonner-toast]';
      return [...document.querySelectorAll<HTMLElement>(parts)]
        .filter((part) => part.checkVisibility() && !part.closest('.skip-link'))
        .map((part) => ({ part, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .filter(
          ({ box }) => box.top < room.top || box.left < room.left || box.right > room.right || box.bottom > room.bottom,
        )
        .map(({ part, box }) => `${part.tagName}.${part.className} ${part.textContent} ${JSON.stringify(box)}`);
    }, insets);
    expect(covered).toEqual([]);
    const bar = page.locator('.frame-bottom');
    // The colour of the bar reaches the edge of the screen.
    if (await bar.isVisible()) expect(await bar.evaluate((one) => one.getBoundingClientRect().bottom)).toBe(height);
  }
});
