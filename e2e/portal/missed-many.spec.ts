import { randomUUID } from 'node:crypto';
import {
  bell,
  countTones,
  expect,
  expectNoMoreTones,
  expectSoundOn,
  popUps,
  test,
  within20s,
} from '#e2e/fixtures/browser.ts';
import { sendByHand } from '#server/sends/send-by-hand.ts';

test.use({ viewport: { width: 360, height: 740 } });

const missed = 300;

test('after a night offline, 300 notifications are one summary and one ring', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await expectSoundOn(page);
  await expect(page.locator('[data-connection=connected]').first()).toContainText('Terhubung');
  await page.context().setOffline(true);
  const draft = { recipientId: 0, body: 'Isi', kind: 'info', url: null, toRoles: null, toPeople: null } as const;
  for (let count = 1; count <= missed; count++) {
    const one = { ...draft, title: `Terlewat ${count}`, draftId: randomUUID(), mustConfirm: count === 150 };
    await sendByHand(company.owner, one);
  }
  await page.context().setOffline(false);
  await expect(bell(page, missed)).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  await expect.poll(tones, within20s).toBeGreaterThan(0);
  await expect(popUps(page)).toContainText(`${missed} notifikasi baru`);
  await expectNoMoreTones(page);
  // On a phone it lies below what the portal says first.
  const [summary, title] = [await popUps(page).boundingBox(), await page.locator('h1').boundingBox()];
  expect(summary?.y).toBeGreaterThan((title?.y ?? 0) + (title?.height ?? 0));
});
