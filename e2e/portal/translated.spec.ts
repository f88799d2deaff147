import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { entries, expect, test } from '#e2e/support/browser/browser.ts';
import { bell, expectPopUp } from '#e2e/support/browser/portal-pages.ts';

// As Chrome's translation does: each text leaves its place to a translated one in two elements, also what is added later.
async function translate(page: Page): Promise<void> {
  // The page shows this once its scripts run.
  await expect(page.locator('[data-connection=connected]')).toContainText('Terhubung');
  await page.evaluate(() => {
    const translateAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        const around = text.parentElement;
        if (text.data.trim() === '' || !around || around.closest('font, script, style, noscript, [translate=no]'))
          continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = `«${text.data}»`;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    translateAll();
    new MutationObserver(translateAll).observe(document.body, { childList: true, subtree: true });
  });
}

test('a translated inbox answers presses, on a phone too', async ({ page, company, signInAsEmployee, send }) => {
  // A page that broke shows its error instead of its content.
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  await sql()`update companies set must_confirm_kinds = '{absen}' where id = ${company.owner.companyId}`;
  await signInAsEmployee(page);
  for (const [judul, jenis] of Object.entries({ Satu: 'info', Dua: 'gaji', Tiga: 'absen', Empat: 'info' }))
    await send({ judul, jenis });
  await page.goto('/portal/notifications');
  await translate(page);
  const row = (title: string) => entries(page).filter({ hasText: title });
  const unread = page.getByRole('navigation', { name: 'Saringan' }).getByRole('link', { name: /Belum dibaca/ });
  for (const [mark, count] of Object.entries({ sudah: 3, belum: 4 })) {
    await page.getByRole('button', { name: `Tandai ${mark} dibaca: Satu` }).click();
    await expect(row('Satu')).toHaveAttribute('data-read', String(mark === 'sudah'));
    await expect(bell(page, count)).toBeVisible();
    await expect(unread).toContainText(`(${count})`);
  }
  await row('Dua').getByRole('button', { name: 'Arsipkan: Dua' }).click();
  await expect(row('Dua')).toContainText('Diarsipkan');
  await row('Dua').getByRole('button', { name: 'Urungkan' }).click();
  await expect(row('Dua')).not.toContainText('Diarsipkan');
  await row('Satu').getByRole('button', { name: 'Ingatkan lagi: Satu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '1 jam lagi' }).click();
  await expect(row('Satu')).toContainText('Ditunda');
  await row('Satu').getByRole('button', { name: 'Urungkan' }).click();
  await expect(row('Satu')).not.toContainText('Ditunda');
  await send({ judul: 'Baru' });
  await page.getByRole('button', { name: /1 notifikasi baru/ }).click();
  await expect(row('Baru')).toBeVisible();
  await page.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(bell(page, 0)).toBeVisible();
  await page.getByRole('button', { name: /Urungkan/ }).click();
  await expect(unread).toContainText('(5)');
  const opened = page.getByRole('article');
  await row('Tiga').getByRole('link').click();
  await expect(opened).toContainText('Tiga');
  await opened.getByRole('button', { name: /^Sudah baca/ }).click();
  await expect(page.locator('[data-confirmed]')).toBeVisible();
  await opened.getByRole('button', { name: /Arsipkan/ }).click();
  await expect(opened).toContainText('Diarsipkan');
  await row('Dua').getByRole('link').click();
  await expect(opened).toContainText('Tandai belum dibaca');
  await page.getByRole('navigation').getByRole('link', { name: /Suara/ }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Suara');
  await send({ judul: 'Tampil' });
  await expectPopUp(page, 'Tampil');

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/portal/notifications');
  await translate(page);
  for (const title of ['Satu', 'Empat']) {
    await row(title).getByRole('link').click();
    await expect(opened).toContainText('Tandai belum dibaca');
    await page
      .getByRole('main')
      .getByRole('link', { name: /Notifikasi/ })
      .click();
    await expect(row(title)).toHaveAttribute('data-read', 'true');
  }
  expect(errors).toEqual([]);
});

test('a list that something else in the browser broke is back by itself', async ({ portal: page, send }) => {
  await send({ judul: 'Rusak' });
  await page.goto('/portal/notifications');
  await page.locator('.unread-dot').evaluate((dot) => {
    const font = document.createElement('font');
    dot.replaceWith(font);
    font.append(dot);
  });
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Rusak' }).click();
  await expect(entries(page)).toHaveAttribute('data-read', 'true');
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Tandai belum dibaca: Rusak' }).click();
  await expect(entries(page)).toHaveAttribute('data-read', 'false');
});
