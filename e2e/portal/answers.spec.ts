import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright/test';
import { listProblems } from '#e2e/support/browser/accessible.ts';
import { entries, expect, heldBar, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { composer, downloadCsv, write } from '#e2e/support/browser/owner-pages.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { closeQuestion, withdrawNotification } from '#server/sends/history/changes.ts';
import { storePicture } from '#server/sends/pictures/pictures.ts';

// Each test signs in several people.
test.describe.configure({ timeout: 150_000 });

const answers = ['Bisa', 'Tidak bisa'];
const answer = (within: Page | Locator, name: string) => within.getByRole('button', { name: new RegExp(`^${name}: `) });
const given = (within: Page | Locator) => within.locator('[data-confirmed]');
const change = (within: Page | Locator) => within.getByRole('button', { name: /^ubah jawaban/ });
const figure = (page: Page, name: string) => page.locator(`[data-stat=${name}]`);

test('an owner asks, one press answers, and open figures move', async ({ company, openPortal, openOwner }) => {
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  const page = await openOwner('/owner/sends/new');
  const portal = await openPortal(satu);
  await write(page, 'Siapa bisa lembur malam ini?');
  const ask = page.getByRole('button', { name: /^Minta jawaban/ });
  await ask.click();
  const choices = page.getByRole('radiogroup', { name: 'Minta jawaban' });
  await choices.getByText('Bisa / Tidak bisa').click();
  await expect(ask).toHaveText('Minta jawabanBisa / Tidak bisa');
  await expect(page.locator('[data-preview=shown]')).toContainText('Tidak bisa');
  expect(await listProblems(page)).toEqual([]);
  await composer(page).submit.click();
  await heldBar(page).getByRole('link', { name: 'Lihat' }).click({ timeout: 40_000 });
  await expect(figure(page, 'unconfirmed')).toHaveText('2 belum menjawab');
  await expect(page.locator('[data-person]')).toHaveCount(2);

  const popUp = popUps(portal).filter({ hasText: 'lembur' });
  await expect(answer(popUp, 'Bisa')).toBeVisible(within20s);
  const widths = await Promise.all(answers.map(async (name) => (await answer(popUp, name).boundingBox())?.width));
  expect(widths[0]).toBe(widths[1]);
  await answer(popUp, 'Bisa').dblclick();
  await expect(given(popUp)).toContainText('Jawaban Anda: Bisa · ubah');
  await expect(figure(page, 'answer1'), 'the open page of the owner').toHaveText('1 Bisa', within20s);
  await expect(figure(page, 'unconfirmed')).toHaveText('1 belum menjawab');
  await expect(page.locator('[data-person]')).toHaveText([/Dua Uji/]);
  await figure(page, 'answer1').getByRole('link').click();
  await expect(page.locator('[data-person]')).toHaveText([/Satu Uji.*Bisa/s]);
  expect(await listProblems(page)).toEqual([]);
  expect((await downloadCsv(page)).join('\n')).toMatch(/Jawaban.*Dijawab \(UTC\)\n.*Satu Uji.*Bisa/);
  await page.goto(`/owner/sends/1/${satu.employeeId}`);
  await expect(page.locator('.facts')).toContainText(/Jawaban\s*Bisa\s+\d+ \S+ \d{4}.*WIB/s);
  await page.goto(`/owner/sends/1/${dua.employeeId}`);
  await expect(page.locator('.facts')).toContainText('Belum menjawab');
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.answer"]')).toContainText(/Satu Uji.*Menjawab.*: Bisa/s);
});

test('an answer changes by keyboard until the closing', async ({ page, company, signIn, signInAsEmployee, visit }) => {
  await signInAsEmployee(page, '/portal/settings');
  const no = await writeManualDraft(company, { title: 'Rapat', answers: ['Hadir', 'Tidak hadir', 'Terlambat'] });
  await expect(answer(popUps(page), 'Hadir')).toBeVisible(within20s);
  await page.goto('/portal/notifications');
  await page.getByRole('link', { name: 'Menunggu konfirmasi Anda (1)' }).click();
  await expect(entries(page)).toContainText('Menunggu jawaban');
  await page.goto(`/portal/notifications/${no}`);
  await expect(page.getByRole('button', { name: 'Terlambat: Rapat' })).toBeVisible();
  expect(await listProblems(page)).toEqual([]);
  await answer(page, 'Terlambat').focus();
  await page.keyboard.press('Enter');
  await expect(given(page)).toContainText('Jawaban Anda: Terlambat · ubah');
  await expect(page.locator('.announcer, [role=status]').filter({ hasText: 'Jawaban Anda: Terlambat' })).toHaveCount(1);
  await expect(change(page), 'the focus goes on where it was').toBeFocused();
  await page.keyboard.press('Enter');
  await expect(answer(page, 'Terlambat')).toBeFocused();
  await expect(answer(page, 'Terlambat')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await expect(given(page)).toContainText('Jawaban Anda: Hadir · ubah');
  await page.goto('/portal/notifications');
  await expect(entries(page)).toContainText('Jawaban Anda: Hadir');
  await entries(page).getByRole('link').click();

  const owner = await visit();
  await signIn(owner, company.username, `/owner/sends/${no}`);
  await owner.getByRole('button', { name: 'Tindakan lain' }).click();
  await owner.getByRole('menuitem', { name: 'Tutup pertanyaan' }).click();
  await owner.getByRole('button', { name: 'Tutup pertanyaan' }).click();
  await expect(owner.getByText('Pertanyaan ditutup').first()).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Ingatkan/ })).toHaveCount(0);
  await expect(given(page)).toHaveText('Jawaban Anda: Hadir · Pertanyaan ini sudah ditutup.', within20s);
  await expect(change(page)).toHaveCount(0);
  await page.goto(`/portal/notifications/${no}`);
  await expect(given(page)).toContainText('Jawaban Anda: Hadir');
  expect(await listProblems(page)).toEqual([]);
});

test('offline or too late, a press says nothing is stored', async ({ page, context, company, signInAsEmployee }) => {
  const { employeeId } = await signInAsEmployee(page, '/portal/settings');
  const ask = (title: string) => writeManualDraft(company, { title, answers, ...toOne(employeeId) });
  // A pop-up of the same message may lie over its page.
  const content = page.locator('#content');
  const no = await ask('Tanpa jaringan');
  await page.goto(`/portal/notifications/${no}`);
  await context.setOffline(true);
  await answer(content, 'Bisa').click();
  await expect(page.getByRole('alert').filter({ hasText: 'Belum tersimpan: tidak ada sambungan' })).toBeVisible();
  await context.setOffline(false);
  await answer(content, 'Bisa').click();
  await expect(given(content)).toContainText('Jawaban Anda: Bisa');
  for (const end of [closeQuestion, withdrawNotification]) {
    const ended = await ask(`Berakhir ${end.name}`);
    await page.goto(`/portal/notifications/${ended}`);
    // It ends between the press and the answer.
    await page.route('**', async (route) => {
      if (route.request().method() === 'POST' && route.request().postData()?.includes('"answer"'))
        await end(company.owner, ended);
      await route.continue();
    });
    await answer(content, 'Bisa').click();
    await expect(page.getByText(/ditutup|ditarik/).first()).toBeVisible();
    await expect(given(content).filter({ hasText: 'Jawaban Anda' })).toHaveCount(0);
    await page.unrouteAll();
  }
});

test('a pop-up with a picture or hidden text opens the page', async ({ page, company, signInAsEmployee }) => {
  await signInAsEmployee(page, '/portal/settings');
  const draftId = randomUUID();
  await storePicture(company.owner, draftId, makeJpeg(600, 400));
  await writeManualDraft(company, { draftId, picture: draftId, title: 'Denah', answers });
  await writeManualDraft(company, { title: 'Bonus', kind: 'bonus', answers });
  for (const title of ['Denah', 'Bonus']) {
    const popUp = popUps(page).filter({ hasText: title });
    await expect(popUp.getByRole('link', { name: 'Baca pesan lengkap' })).toBeVisible(within20s);
    await expect(answer(popUp, 'Bisa')).toHaveCount(0);
    await popUp.getByRole('link', { name: 'Baca pesan lengkap' }).click();
    await answer(page, 'Tidak bisa').click();
    await expect(given(page)).toContainText('Jawaban Anda: Tidak bisa');
  }
});
