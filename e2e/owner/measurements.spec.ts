import type { Locator, Page } from 'playwright/test';
import { makeBadDay } from '#e2e/owner/bad-day.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';

// Where the menu of a phone begins.
const screens = { phone: { width: 360, height: 740, end: 680 }, desktop: { width: 1280, height: 800, end: 800 } };

type Rows = { phone: number; desktop: number };

// The rows that are wholly visible without scrolling, at least.
const lists: Record<string, Rows> = {
  '/owner/employees': { phone: 5, desktop: 10 },
  '/owner/employees/join': { phone: 5, desktop: 5 },
  '/owner/sends': { phone: 5, desktop: 9 },
  // A card of missed times, which is larger than the screen of a phone.
  '/owner/sends/planned': { phone: 0, desktop: 1 },
  '/owner/sends/templates': { phone: 2, desktop: 3 },
  '/owner/keys': { phone: 4, desktop: 7 },
  '/owner/keys?state=revoked': { phone: 1, desktop: 1 },
  '/owner/audit': { phone: 5, desktop: 10 },
  '/owner/audit/refused': { phone: 3, desktop: 8 },
};

async function measure(page: Page, path: string, end: number): Promise<{ y: number; rows: number }> {
  await page.goto(path);
  await expect(page.locator('[data-alarm-line]')).toBeVisible();
  const rows = page.locator('main :is(.list-row, .message-cards > li):visible');
  await rows.first().waitFor();
  return rows.evaluateAll((all, end) => {
    const boxes = all.map((row) => row.getBoundingClientRect());
    const bottoms = boxes.map(({ bottom }) => Math.round(bottom));
    return { y: Math.round(boxes[0]?.top ?? 0), rows: bottoms.filter((bottom) => bottom <= end).length };
  }, end);
}

test('on a bad day the first rows of each list are on the first screen', async ({ page, company, signIn }) => {
  test.slow();
  await makeBadDay(company);
  await signIn(page, company.username);
  const missing: string[] = [];
  for (const [path, wanted] of Object.entries(lists)) {
    for (const screen of ['phone', 'desktop'] as const) {
      const { end, ...size } = screens[screen];
      await page.setViewportSize(size);
      const { y, rows } = await measure(page, path, end);
      if (rows < wanted[screen])
        missing.push(`${path} on a ${screen}: ${rows} of ${wanted[screen]} rows, from ${y} px`);
    }
  }
  expect(missing).toEqual([]);
});

type Press = (target: Locator) => Promise<void>;

test('on a phone, daily work takes few presses from the home page', async ({ page, company, signIn }) => {
  test.slow();
  const { mustRead } = await makeBadDay(company);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, company.username);
  // A walk begins on the home page.
  const walk = async (most: number, what: (press: Press) => Promise<unknown>) => {
    await page.goto('/owner');
    let presses = 0;
    await what(async (target) => {
      presses++;
      await target.click();
    });
    expect(presses).toBeLessThanOrEqual(most);
  };
  const menu = page.locator('nav.frame-bottom');
  const sent = page.getByRole('table', { name: 'Pesan terkirim' });

  await test.step('who has not confirmed a message: 2', () =>
    walk(2, async (press) => {
      await press(sent.getByRole('link', { name: 'Lihat pesan: Aturan baru di gudang' }));
      await press(page.locator('[data-stat=unconfirmed]').getByRole('link'));
      await expect(page).toHaveURL(`/owner/sends/${mustRead}?state=unconfirmed#people`);
      await expect(page.locator('[data-person]').first()).toContainText('Belum');
    }));

  await test.step('send a message again: 3', () =>
    walk(3, async (press) => {
      await press(sent.getByRole('link', { name: 'Lihat pesan: Aturan baru di gudang' }));
      await press(page.getByRole('button', { name: 'Tindakan lain' }));
      await press(page.getByRole('menuitem', { name: 'Kirim lagi' }));
      await expect(page).toHaveURL(`/owner/sends/new?again=${mustRead}`);
    }));

  await test.step('invite the eight who have no account: 4', () =>
    walk(4, async (press) => {
      await press(page.getByRole('link', { name: 'Belum punya akun' }));
      await press(page.getByRole('button', { name: 'Tindakan', exact: true }));
      await press(page.getByRole('menuitem', { name: 'Undang 8' }));
      await press(page.getByRole('button', { name: /^Buat 8 tautan/ }));
      await expect(page.locator('[data-invited]')).toHaveCount(8);
    }));

  await test.step('revoke a key: 4', () =>
    walk(4, async (press) => {
      await press(menu.getByRole('link', { name: 'Sistem' }));
      await press(page.getByRole('button', { name: 'Tindakan untuk kunci Laporan harian' }));
      await press(page.getByRole('menuitem', { name: 'Cabut' }));
      await page.getByRole('dialog').getByRole('textbox').fill('Laporan harian');
      await press(page.getByRole('dialog').getByRole('button', { name: /^Cabut/ }));
      await expect(page.locator('[data-key="Laporan harian"]')).toHaveCount(0);
    }));

  await test.step('choose the dark theme: 2', () =>
    walk(2, async (press) => {
      await press(page.getByRole('button', { name: /^Akun / }));
      await press(page.getByRole('dialog').getByTitle('Gelap'));
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    }));
});
