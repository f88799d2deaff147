import { sql } from '#db/client.ts';
import { bell, entries, expect, popUps, test } from '#e2e/fixtures/browser.ts';

test('all of one’s notifications are listed, newest first, with kind, title, text, time and unread mark', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  const employee = await signInAsEmployee(page);
  await send({ judul: 'Lama', isi: 'baris satu\nbaris dua', jenis: 'kasbon' });
  await send({ judul: 'Baru', user_id: employee.employeeId, jenis: 'entah' });
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).nth(0)).toContainText('Baru');
  await expect(entries(page).nth(0).locator('[data-kind=info]')).toBeVisible();
  await expect(entries(page).nth(1)).toContainText(
    /Lama.*baris satu\s+baris dua.*Kasbon · Sistem Uji · \d+ \S+ \d{4}.* WIB/s,
  );
  await expect(entries(page).nth(1).getByText('Belum dibaca:')).toBeAttached();
});

test('read, unread and mark all read are kept, and never delete', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page);
  for (const judul of ['Satu', 'Dua', 'Tiga']) await send({ judul });
  await page.goto('/portal/notifications');
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Dua' }).click();
  await expect(bell(page, 2)).toBeVisible();
  await page.getByRole('link', { name: 'Belum dibaca (2)' }).click();
  await expect(entries(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Semua', exact: true }).click();
  await expect(entries(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(bell(page, 0)).toBeVisible();
  await page.getByRole('button', { name: 'Tandai belum dibaca: Satu' }).click();
  await expect(bell(page, 1)).toBeVisible();
  await page.reload();
  await expect(entries(page)).toHaveCount(3);
  await expect(page.locator('[data-read=false]')).toHaveCount(1);
  await expect(page.locator('[data-read=false]')).toContainText('Satu');
});

test('older ones follow by keyset, each once, though new ones arrive meanwhile', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  await send({ judul: 'nomor 1' });
  const { companyId } = company.owner;
  await sql()`insert into notifications (company_id, no, title, body, kind, reach, key_id)
    select company_id, n, 'nomor ' || n, body, kind, reach, key_id from notifications, generate_series(2, 45) n where company_id = ${companyId}`;
  await sql()`update companies set last_no = 45 where id = ${companyId}`;
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(20);
  await send({ judul: 'menyela' });
  await page.getByRole('button', { name: 'Muat lagi' }).click();
  await expect(entries(page)).toHaveCount(40);
  await page.getByRole('button', { name: 'Muat lagi' }).click();
  await expect(entries(page)).toHaveCount(45);
  await expect(page.getByRole('button', { name: 'Muat lagi' })).toBeHidden();
  const titles = await entries(page).getByRole('heading').allTextContents();
  expect(titles).toEqual(Array.from({ length: 45 }, (_, index) => `Belum dibaca: nomor ${45 - index}`));
  await page.getByRole('button', { name: '1 notifikasi baru' }).click({ timeout: 20_000 });
  await expect(entries(page).nth(0)).toContainText('menyela');
});

test('a link is a plain link to the same host, and opening it marks the notification read', async ({
  page,
  signInAsEmployee,
  send,
  baseURL,
}) => {
  await signInAsEmployee(page);
  await send({ judul: 'Berkas', url: '/aplikasi-lain/berkas?x=1#bagian' });
  await page.goto('/portal/notifications');
  const link = page.getByRole('link', { name: 'Buka tautan: Berkas' });
  await expect(link).toHaveAttribute('href', '/aplikasi-lain/berkas?x=1#bagian');
  await link.click();
  await expect(page).toHaveURL(`${baseURL}/aplikasi-lain/berkas?x=1#bagian`);
});

test('a stored link that fails the second check is shown as text', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  const hostile = [
    'javascript:alert(1)',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'https://evil.test',
    '/.//evil.test',
  ];
  for (const [index, url] of hostile.entries()) {
    await send({ judul: `Jahat ${index}` });
    await sql()`update notifications set url = ${url} where company_id = ${company.owner.companyId} and title = ${`Jahat ${index}`}`;
  }
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(hostile.length);
  await expect(entries(page).getByRole('link')).toHaveCount(0);
  await expect(entries(page).filter({ hasText: 'javascript:alert(1)' })).toHaveCount(1);
});

test('texts are inert, in the list and in the pop-up', async ({ page, signInAsEmployee, send }) => {
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  await signInAsEmployee(page);
  const judul = '<img src=x onerror=alert(1)>{{7*7}}';
  await send({ judul, isi: '<script>alert(2)</script>&amp;\u202Eterbalik' });
  await expect(popUps(page).filter({ hasText: judul })).toBeVisible({ timeout: 20_000 });
  await page.goto('/portal/notifications');
  await expect(entries(page).getByRole('heading')).toContainText(judul);
  await expect(entries(page)).toContainText('<script>alert(2)</script>&amp;');
  expect(dialogs).toBe(0);
});

test('an empty inbox says what will appear here; all read says so', async ({ page, signInAsEmployee }) => {
  await signInAsEmployee(page);
  await page.goto('/portal/notifications');
  await expect(page.getByText('Belum ada notifikasi. Pesan dari perusahaan akan muncul di sini.')).toBeVisible();
  await page.goto('/portal/notifications?filter=unread');
  await expect(page.getByText('Semua sudah dibaca', { exact: true })).toBeVisible();
});

test('nobody reads or marks the notifications of another', async ({ page, company, signInAsEmployee, send, visit }) => {
  const mine = await signInAsEmployee(page);
  const other = await company.hire();
  await send({ judul: 'Rahasia', user_id: other.employeeId });
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(0);
  const feed = await page.request.get('/portal/feed?after=0');
  expect(((await feed.json()) as { items: unknown[] }).items).toEqual([]);
  expect(mine.employeeId).not.toBe(other.employeeId);
  const stranger = await visit();
  for (const path of ['/portal/feed?after=0', '/portal/inbox'])
    expect((await stranger.request.get(path)).status()).toBe(401);
});
