import { sql } from '#db/client.ts';
import { bell, entries, expect, test, within20s } from '#e2e/fixtures/browser.ts';
import { password } from '#harness/company.ts';
import { withdrawNotification } from '#server/sends/withdraw.ts';

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
  await expect(entries(page).nth(0).locator('svg[data-kind=info]')).toBeVisible();
  await expect(entries(page).nth(1)).toContainText(/Lama.* WIB.*Kasbon · Sistem Uji · \s*Isi disembunyikan/s);
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

test('a row opens its notification, which is then read; its link is a button there', async ({
  page,
  signInAsEmployee,
  send,
  baseURL,
}) => {
  await signInAsEmployee(page);
  await send({ judul: 'Berkas', isi: 'baris satu\nbaris dua', url: '/aplikasi-lain/berkas?x=1#bagian' });
  await page.goto('/portal/notifications');
  // The whole row is the target.
  await entries(page).click({ position: { x: 20, y: 40 } });
  await expect(page).toHaveURL('/portal/notifications/1');
  const opened = page.getByRole('article');
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText('Berkas');
  await expect(opened).toContainText(/dari sistem “Sistem Uji” perusahaan Anda · \d+ \S+ \d{4}.* WIB/);
  await expect(opened.getByText('baris satu')).toHaveCSS('white-space', 'pre-line');
  await expect(bell(page, 0)).toBeVisible();
  await opened.getByRole('button', { name: 'Tandai belum dibaca' }).click();
  await expect(bell(page, 1)).toBeVisible();
  await page.reload();
  await expect(bell(page, 0)).toBeVisible();
  const link = opened.getByRole('link', { name: 'Buka tautan' });
  await expect(link).toHaveAttribute('href', '/aplikasi-lain/berkas?x=1#bagian');
  await link.click();
  await expect(page).toHaveURL(`${baseURL}/aplikasi-lain/berkas?x=1#bagian`);
});

test('the list that “back” returns to shows what was read meanwhile', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page);
  for (const judul of ['Satu', 'Dua']) await send({ judul });
  await page.goto('/portal/notifications?filter=unread');
  await entries(page).filter({ hasText: 'Satu' }).getByRole('link').click();
  await expect(bell(page, 1)).toBeVisible();
  await page.goBack();
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page)).toContainText('Dua');
});

test('the address of a notification survives the sign-in, and the earlier form of it leads there', async ({
  page,
  company,
  send,
}) => {
  const username = await company.giveAccount(await company.hire());
  await send({ judul: 'Tautan dalam' });
  await page.goto('/portal/notifications/1');
  await expect(page).toHaveURL(/\/login\?returnTo=/);
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL('/portal/notifications/1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tautan dalam');
  await page.goto('/portal/notifications#n1');
  await expect(page).toHaveURL('/portal/notifications/1');
});

test('a notification that was withdrawn or never was mine is said kindly', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  const other = await company.hire();
  await send({ judul: 'Keliru', isi: 'isi keliru' });
  await send({ judul: 'Rahasia', user_id: other.employeeId });
  await page.goto('/portal/notifications/1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keliru');
  expect(await withdrawNotification(company.owner, 1)).toBe('withdrawn');
  await expect(page.getByText('Pesan ini sudah ditarik')).toBeVisible(within20s);
  await page.reload();
  await expect(page.getByText('Pesan ini sudah ditarik')).toBeVisible();
  for (const no of ['2', '999', 'bukan-nomor']) {
    expect((await page.goto(`/portal/notifications/${no}`))?.status()).toBe(404);
    await expect(page.getByText('Notifikasi ini tidak ada')).toBeVisible();
    await expect(page.locator('body')).not.toContainText('Rahasia');
  }
});

test('three repeats are one row, which opens them', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Lain' });
  for (let sent = 1; sent <= 3; sent++) await send({ judul: 'Stok malam', isi: `laporan ${sent}` });
  for (const path of ['/portal', '/portal/notifications']) {
    await page.goto(path);
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page).nth(0)).toContainText(/Stok malam.*×3.*laporan 3/s);
    await entries(page).nth(0).getByRole('button').click();
    await expect(entries(page)).toHaveText([/laporan 3/, /laporan 2/, /laporan 1/, /Lain/]);
  }
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
  for (const [index, url] of hostile.entries()) {
    await page.goto(`/portal/notifications/${index + 1}`);
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(`Jahat ${index}`);
    await expect(page.getByRole('article').getByRole('link')).toHaveCount(0);
    await expect(page.getByRole('article')).toContainText(url.trim());
  }
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
