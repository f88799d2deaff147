import type { Page } from 'playwright/test';
import { check, listBeyond, listSmallTargets, looks } from '#e2e/support/browser/accessible.ts';
import { entries, expect, popUps, test } from '#e2e/support/browser/browser.ts';
import { must } from '#e2e/support/data/owners.ts';
import { builtAddresses } from '#e2e/support/service/build.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { addresses } from '#e2e/tenancy/addresses.ts';
import { type FullCompany, makeFullCompany } from '#e2e/tenancy/full-company.ts';
import { createJoinLink } from '#server/employees/join-links.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** A company with data of every kind, whose texts are long and have no place to break. */
const makeLong = () => makeFullCompany(`SangatPanjangTanpaPutus${crypto.randomUUID().slice(0, 8)}`, 500_000);

/** The pages for somebody, with data of the company. Those of the documentation and of the bell have tests of their own. */
const listPaths = ({ ids }: FullCompany, ...audiences: string[]) =>
  builtAddresses
    .filter(({ kind, route }) => kind === 'page' && !/^\/(docs|embed)/.test(route))
    .flatMap(({ route }) => {
      const { audience = '', paths } = addresses[route] ?? {};
      return audiences.includes(audience) ? (paths?.(ids) ?? []) : [];
    });

async function becomes(page: Page, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: process.env.SERVICE_URL }]);
}

async function checkFully(page: Page, where: string): Promise<void> {
  await check(page, where);
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  // Fingers need room, pointers do not.
  if (size.width < 768) return expect([where, await listSmallTargets(page)]).toEqual([where, []]);
  // A small laptop and tablets.
  for (const width of [1100, 1024, 900]) {
    await page.setViewportSize({ ...size, width });
    expect([where, width, await listBeyond(page)]).toEqual([where, width, []]);
  }
  await page.setViewportSize(size);
}

async function checkEach(page: Page, paths: string[]): Promise<void> {
  const broken: string[] = [];
  page.on('pageerror', ({ message }) => broken.push(message));
  for (const path of paths) {
    await page.goto(path);
    await checkFully(page, path);
  }
  expect(broken, 'every page hydrates without an error').toEqual([]);
}

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });
    test.beforeEach(() => test.setTimeout(300_000));

    test('pages before a sign-in and of an employee pass axe, and fit the screen and a thumb', async ({ page }) => {
      const full = await makeLong();
      const { token } = must(await createJoinLink(full.company.owner, { role: null, days: 7, maxRequests: 10 }));
      const asked = must(await requestToJoin(token, { name: 'N'.repeat(120), role: 'P'.repeat(60) }, '192.0.2.1'));
      for (const secret of [token, asked.token]) noteSecret(secret);
      await checkEach(page, [
        ...listPaths(full, 'everyone', 'signed in'),
        ...[`/invite/${full.invitation}`, `/join/${token}`, `/join/wait/${asked.token}`],
      ]);
      await becomes(page, full.employee);
      await checkEach(page, listPaths(full, 'employee'));
    });

    test('every page of an owner passes axe, and fits a phone, a tablet and a small laptop', async ({ page }) => {
      const full = await makeLong();
      await becomes(page, full.owner);
      const more = [
        '/owner/employees?q=tidak-ada',
        '/owner/employees?account=uninvited&choose=all',
        '/owner/audit?request=x',
      ];
      await checkEach(page, [...listPaths(full, 'owner', 'manager'), ...more]);
    });

    test('the dialogs of keys, of invitations and of an export pass axe and have large targets', async ({ page }) => {
      const full = await makeLong();
      await becomes(page, full.owner);
      await page.goto('/owner/keys');
      const dialog = page.getByRole('dialog');
      for (const action of [
        /^(Pantau|Watch)$/,
        /^(Ubah|Edit)$/,
        /^(Buat kunci pengganti|Create repl.*)$/,
        /^(Cabut|Revoke)$/,
      ]) {
        await page
          .getByRole('button', { name: new RegExp(`(Tindakan untuk|Actions for).*lain ${full.marker}$`) })
          .click();
        await page.getByRole('menuitem', { name: action }).click();
        await expect(dialog).toHaveCSS('opacity', '1');
        await expect(page.getByRole('menu')).toHaveCount(0);
        await checkFully(page, String(action));
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      }
      await page.getByRole('button', { name: /^(Buat kunci|Create key)$/ }).click();
      await dialog.getByRole('textbox').first().fill('kunci axe');
      await dialog.getByRole('button', { name: /^(Buat kunci|Create key)$/ }).click();
      await expect(dialog.getByText(/hanya ditampilkan satu kali|shown only once/)).toBeVisible();
      await expect(dialog).toHaveCSS('opacity', '1');
      await check(page, 'the key shown once');
      await page.goto('/owner/employees?account=uninvited&choose=all');
      // A phone has a menu for the actions.
      const actions = page.getByRole('button', { name: /^(Tindakan|Actions)$/ });
      if (await actions.isVisible()) await actions.click();
      await page
        .getByText(/^(Undang|Invite) \d/)
        .filter({ visible: true })
        .click();
      await dialog.getByRole('button', { name: /^(Buat|Create) \d / }).click();
      await expect(dialog.getByRole('button', { name: /^(Cetak|Print)$/ })).toBeVisible();
      await check(page, 'links to send or to print');
      await page.goto('/owner/settings/data');
      await page.locator('#export button').click();
      await expect(page.locator('a[download]')).toBeVisible();
      await check(page, 'an export');
    });

    test('pop-ups and the panel of the sound pass axe, and fit the screen and a thumb', async ({
      page,
      signInAsEmployee,
      send,
    }) => {
      await signInAsEmployee(page, 'Karyawan Uji Dengan Nama Panjang');
      await page.goto('/portal/help');
      await send({
        judul: 'W'.repeat(draftLimits.title),
        isi: 'M'.repeat(draftLimits.body),
        url: `/${'a'.repeat(200)}`,
      });
      await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-mounted', 'true');
      await send({ judul: 'Gaji', jenis: 'gaji' });
      // A phone shows one card at a time: the summary takes the place of the first one.
      if (width < 768) await expect(page.getByText(/^2 (notifikasi baru|new notifications)$/).first()).toBeVisible();
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(width < 768 ? 1 : 2);
      await expect(page.locator('[data-sonner-toast]').first()).toHaveCSS('opacity', '1');
      await check(page, 'pop-ups');
      await page.getByRole('button', { name: /^(Suara|Sound) · / }).click();
      await expect(page.getByRole('dialog').getByRole('slider')).toBeVisible();
      await check(page, 'sound');
      const isPhone = width < 768;
      if (isPhone) expect(await listSmallTargets(page)).toEqual([]);
    });
  });
}

// An iPhone with a notch in its app mode, and lying on its side.
const upright = { width: 390, height: 844, insets: { top: 59, right: 0, bottom: 34, left: 0 } };
const lying = { width: 844, height: 390, insets: { top: 0, right: 59, bottom: 21, left: 59 } };

for (const { width, height, insets } of [upright, lying])
  test(`nothing lies under the notch or the gesture bar of a phone, ${width} × ${height}`, async ({
    page,
    context,
    signInAsEmployee,
    send,
  }) => {
    await page.setViewportSize({ width, height });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
    await signInAsEmployee(page);
    await send({ judul: 'Kabar kantin' });
    await expect(popUps(page)).toBeVisible();
    await page.goto('/portal/notifications');
    await expect(entries(page)).toHaveCount(1);
    await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /viewport-fit=cover/);
    await context.setOffline(true);
    await expect(page.locator('.status-bar')).toContainText('offline');
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
  });

test.describe('with a keyboard', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('people are chosen and deactivated, and the focus stays in reach', async ({ page, company, signIn }) => {
    await company.hire('Budi Uji');
    await company.hire('Siti Uji');
    await signIn(page, company.username, '/owner/employees');
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
});
