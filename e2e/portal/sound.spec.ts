import type { Page } from 'playwright/test';
import {
  bell,
  countTones,
  expect,
  popUps,
  statusBar,
  steady,
  test,
  waitForAction,
  within20s,
} from '#e2e/fixtures/browser.ts';

// Records each chime: when it began, how long it lasts (ms), and its loudness.
async function recordChimes(page: Page): Promise<() => Promise<{ began: number; ends: number; loudness: number }[]>> {
  await page.addInitScript(() => {
    const record = window as unknown as { chimes: { began: number; ends: number; loudness: number }[] };
    record.chimes = [];
    const [start, stop] = [OscillatorNode.prototype.start, OscillatorNode.prototype.stop];
    const ramp = AudioParam.prototype.linearRampToValueAtTime;
    let loudness = 0;
    AudioParam.prototype.linearRampToValueAtTime = function (value, at) {
      loudness = value;
      return ramp.call(this, value, at);
    };
    let firstAt = 0;
    OscillatorNode.prototype.start = function (at = 0) {
      if (this.frequency.value === 880) {
        firstAt = at;
        record.chimes.push({ began: performance.now(), ends: 0, loudness });
      }
      start.call(this, at);
    };
    OscillatorNode.prototype.stop = function (at = 0) {
      const last = record.chimes.at(-1);
      if (last) last.ends = Math.max(last.ends, (at - firstAt) * 1000);
      stop.call(this, at);
    };
  });
  return () => page.evaluate(() => (window as unknown as { chimes: [] }).chimes);
}

test('a burst is one chime of at most 1 s, at least 5 s after the last one', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  const chimes = await recordChimes(page);
  await signInAsEmployee(page);
  await send({ judul: 'Satu' });
  await expect.poll(async () => (await chimes()).length).toBe(1);
  for (const judul of ['Dua', 'Tiga', 'Empat']) await send({ judul });
  await expect.poll(async () => (await chimes()).length, within20s).toBe(2);
  const [first, second] = await chimes();
  expect((second?.began ?? 0) - (first?.began ?? 0)).toBeGreaterThan(4900);
  for (const { ends } of await chimes()) expect(ends).toBeLessThanOrEqual(1000);
  await expect(bell(page, 4)).toBeVisible();
});

test('a muted browser opens pop-ups without sound, also after a reload', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await page.getByRole('banner').getByRole('button', { name: 'Matikan suara' }).click();
  await expect(page.locator('[data-sound=muted]')).toHaveText('Dimatikan');
  await page.reload();
  await send({ judul: 'Diam' });
  await expect(popUps(page).filter({ hasText: 'Diam' })).toBeVisible(within20s);
  expect(await tones()).toBe(0);
});

test('a muted kind pops up without sound, and the others ring', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await page.goto('/portal/settings');
  await waitForAction(page, () => page.getByRole('group', { name: 'Bunyikan untuk' }).getByText('Timer').click());
  await expect(page.getByRole('checkbox', { name: 'Timer' })).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Timer' })).not.toBeChecked();
  await page.locator('body').click();
  await send({ judul: 'Tanpa suara', jenis: 'timer' });
  await expect(popUps(page).filter({ hasText: 'Tanpa suara' })).toBeVisible(within20s);
  expect(await tones()).toBe(0);
  await send({ judul: 'Dengan suara', jenis: 'bonus' });
  await expect.poll(tones, within20s).toBe(2);
});

test('the volume is kept in this browser and sets the loudness of the chime', async ({ page, signInAsEmployee }) => {
  const chimes = await recordChimes(page);
  await signInAsEmployee(page);
  await bell(page, 0).click();
  const menu = page.getByRole('dialog');
  await menu.getByRole('button', { name: 'Tes suara' }).click();
  const slider = menu.getByRole('slider', { name: 'Volume' });
  await slider.press('Home');
  await slider.press('ArrowRight');
  await menu.getByRole('button', { name: 'Tes suara' }).click();
  await expect.poll(async () => (await chimes()).length).toBeGreaterThan(1);
  const heard = await chimes();
  expect(heard.at(-1)?.loudness).toBeLessThan((heard[0]?.loudness ?? 0) / 10);
  await page.reload();
  await bell(page, 0).click();
  await expect(page.getByRole('dialog').getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuenow', '10');
});

test('where the browser blocks the sound, the page says so and explains the remedy', async ({
  page,
  context,
  signInAsEmployee,
}) => {
  // As with a browser's setting: the context never runs, whatever is clicked.
  await context.addInitScript(() => {
    AudioContext.prototype.resume = () => new Promise(() => {});
    Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' });
  });
  const fresh = steady(await context.newPage());
  await signInAsEmployee(page);
  await fresh.goto('/portal/settings');
  await fresh.getByRole('heading', { level: 1 }).click();
  await expect(statusBar(fresh)).toContainText('Browser memblokir suara halaman ini');
  await expect(fresh.locator('#sound [data-sound=blocked]')).toHaveText('Diblokir browser');
  await expect(fresh.getByRole('alert').filter({ hasText: 'Setelan situs → Suara: Izinkan' })).toBeVisible();
});

test('the owner sees when each employee was last online and whether their sound works', async ({
  page,
  company,
  signInAsEmployee,
  signIn,
  visit,
}) => {
  const employee = await signInAsEmployee(page, 'Dengan Suara');
  const never = await company.hire('Belum Membuka');
  const owner = await visit();
  await signIn(owner, company.username);
  const row = owner.locator(`[data-employee="${employee.employeeId}"]`);
  // Visits are written to the database every 20 s.
  await expect(async () => {
    await owner.goto('/owner/employees');
    await expect(row).toContainText('Suara aktif', { timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await expect(row).toContainText(/Terakhir terlihat (sekarang|\d+ detik yang lalu)/);
  await expect(owner.locator(`[data-employee="${never.employeeId}"]`)).toContainText('Belum pernah membuka portal');
  await page.getByRole('banner').getByRole('button', { name: 'Matikan suara' }).click();
  await expect(async () => {
    await owner.goto('/owner/employees');
    await expect(row).toContainText('Suara dimatikan', { timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await owner.context().close();
});
