import type { Page } from 'playwright/test';
import {
  bell,
  countTones,
  entries,
  expect,
  expectSoundOn,
  popUps,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';

const countStreams = (page: Page) => {
  const opened: string[] = [];
  page.on('request', (request) => void (request.url().includes('/portal/stream') && opened.push(request.url())));
  return opened;
};

async function countPopUps(pages: Page[]): Promise<number> {
  const counts = await Promise.all(pages.map((page) => popUps(page).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('several tabs have one connection, ring once and share marks; when one closes, the next leads', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
  const second = steady(await context.newPage());
  const streams = [countStreams(page), countStreams(second)];
  const tones = [await countTones(page), await countTones(second)];
  await signInAsEmployee(page);
  await expect.poll(() => streams[0]?.length).toBe(1);
  await second.goto('/portal');
  await second.locator('body').click();
  for (const tab of [page, second]) await expectSoundOn(tab);
  await send({ judul: 'Dua tab' });
  // First, because a pop-up closes by itself and a bell may take its time.
  await expect.poll(() => countPopUps([page, second]), within20s).toBe(1);
  for (const tab of [page, second]) await expect(bell(tab, 1)).toBeVisible(within20s);
  expect(await countPopUps([page, second])).toBeLessThanOrEqual(1);
  await expect.poll(async () => ((await tones[0]?.()) ?? 0) + ((await tones[1]?.()) ?? 0)).toBe(2);
  expect(streams[1]).toEqual([]);

  await send({ judul: 'Kabar kedua' });
  for (const tab of [page, second]) await tab.goto('/portal/notifications');
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Kabar kedua' }).click();
  await expect(bell(second, 1)).toBeVisible();
  await expect(entries(second).filter({ hasText: 'Kabar kedua' })).toHaveAttribute('data-read', 'true');
  await second.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(bell(page, 0)).toBeVisible();
  await expect(page.locator('[data-read=false]')).toHaveCount(0);

  await second.goto('/portal');
  const before = streams[1]?.length ?? 0;
  await page.close();
  await expect.poll(() => streams[1]?.length ?? 0).toBeGreaterThan(before);
  await send({ judul: 'Pemimpin baru' });
  await expect(popUps(second).filter({ hasText: 'Pemimpin baru' })).toBeVisible(within20s);
});
