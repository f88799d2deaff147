import { randomUUID } from 'node:crypto';
import { expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { createInvitations, findInvitation } from '#server/employees/invitations.ts';

test('all who have no invitation get one; paper has their cards and nothing else, none torn', async ({
  page,
  baseURL,
  company,
  signIn,
  visit,
}) => {
  const other = await makeCompany();
  await other.hire('Orang Lain');
  const earlier = await company.hire('Uji Diundang');
  const [old] = await createInvitations(company.owner, [earlier.employeeId]);
  for (let hired = 0; hired < 15; hired++) await company.hire(`Uji ${hired} ${'nama panjang '.repeat(hired % 3)}`);
  await company.deactivate(await company.hire('Uji Nonaktif'));
  await company.giveAccount(await company.hire('Uji Berakun'));
  await signIn(page, company.username);
  await ageProof(company, 11);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Undang semua yang belum' }).click();
  await page.getByRole('button', { name: 'Undang 15' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undangan untuk 15 orang' });
  await dialog.getByRole('button', { name: 'Buat 15 tautan' }).click();
  await provePassword(page);
  await expect(dialog.getByRole('button', { name: 'Cetak' })).toBeVisible();
  // Who holds a link keeps it.
  expect(await findInvitation(old?.token ?? '')).not.toBeNull();
  const cards = page.locator('.sheet-card');
  await expect(cards).toHaveCount(15);
  await expect(cards.first()).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1032 });
  for (const hidden of [page.getByRole('banner'), dialog, page.locator('nav')])
    for (const one of await hidden.all()) await expect(one).toBeHidden();
  await expect(cards.first()).toContainText(`${company.owner.companyName}Uji 0`);
  await expect(cards.first()).toHaveCSS('break-inside', 'avoid');
  await expect(page.locator('body')).toHaveCSS('overflow', 'visible');
  await expect(page.getByText('Orang Lain')).toHaveCount(0);
  const place = await cards
    .first()
    .evaluate((card) => [card.getBoundingClientRect().x, card.getBoundingClientRect().y + scrollY]);
  expect(place).toEqual([0, 0]);
  const link = (await cards.first().locator('[data-link]').textContent()) ?? '';
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[a-z2-9]{5}(-[a-z2-9]{5}){3}$`));
  const invited = await visit();
  await invited.goto(link);
  await submitAccount(invited, `uji-${randomUUID()}`);
  await expect(invited).toHaveURL('/portal/notifications');
});
