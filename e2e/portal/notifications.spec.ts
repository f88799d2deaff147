import { sql } from '#db/client.ts';
import { bell, entries, expect, test } from '#e2e/fixtures/browser.ts';

test('all notifications are listed, newest first, with kind, title, text, time and unread mark', async ({
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

test('marks as read or unread are stored, and nothing is deleted', async ({ page, signInAsEmployee, send }) => {
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

test('older pages repeat and skip nothing while new notifications arrive', async ({
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

test('following the link of a notification marks it read', async ({ page, signInAsEmployee, send, baseURL }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Berkas', url: '/aplikasi-lain/berkas?x=1#bagian' });
  await page.goto('/portal/notifications');
  const link = page.getByRole('link', { name: 'Buka tautan: Berkas' });
  await expect(link).toHaveAttribute('href', '/aplikasi-lain/berkas?x=1#bagian');
  await link.click();
  await expect(page).toHaveURL(`${baseURL}/aplikasi-lain/berkas?x=1#bagian`);
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveAttribute('data-read', 'true');
});

test('a stored link to another host is shown as text', async ({ page, company, signInAsEmployee, send }) => {
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

test('an empty inbox and an inbox without unread notifications say so', async ({ page, signInAsEmployee }) => {
  await signInAsEmployee(page);
  await page.goto('/portal/notifications');
  await expect(page.getByText('Belum ada notifikasi. Pesan dari perusahaan akan muncul di sini.')).toBeVisible();
  await page.goto('/portal/notifications?filter=unread');
  await expect(page.getByText('Semua sudah dibaca', { exact: true })).toBeVisible();
});

test('an employee gets only their own notifications, and a visitor gets none', async ({
  page,
  company,
  signInAsEmployee,
  send,
  visit,
}) => {
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
