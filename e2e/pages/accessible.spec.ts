import { check, looks } from '#e2e/support/browser/accessible.ts';
import { entries, expect, popUps, test } from '#e2e/support/browser/browser.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('the pop-ups pass axe and fit the screen', async ({ page, signInAsEmployee, send }) => {
      await signInAsEmployee(page, '/portal/help', 'Karyawan Uji Dengan Nama Panjang');
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
    });
  });
}

// An iPhone with a notch in its app mode, and lying on its side.
const upright = { width: 390, height: 844, insets: { top: 59, right: 0, bottom: 34, left: 0 } };
const lying = { width: 844, height: 390, insets: { top: 0, right: 59, bottom: 21, left: 59 } };

test('nothing lies under the notch or the gesture bar of a phone, upright and lying', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
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
