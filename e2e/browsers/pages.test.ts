import { expect } from 'vitest';
import { attributeOf, pathOf, textOf, textsOf } from '#e2e/browsers/drive/tab.ts';
import { button, followTo, inEachBrowser, soon, unread } from '#e2e/browsers/portal.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';

inEachBrowser((test) => {
  test('a wrong password is refused with a sentence, and the right one signs in', async ({
    tab,
    base,
    company,
    signIn,
  }) => {
    const username = await company.giveAccount(await company.hire('Karyawan Masuk'));
    await tab.open(`${base}/login`);
    await tab.type('[name=username]', username);
    await tab.type('[name=password]', 'bukan kata sandi');
    await tab.press('button[type=submit]');
    await expect.poll(() => textOf(tab, '[role=alert]'), soon).toMatch(/kata sandi/i);
    expect(await pathOf(tab)).toMatch(/^\/login/);
    await signIn(username);
    expect(await pathOf(tab)).toBe('/portal');
  });

  test('the list of notifications groups by day, filters, and marks as read', async ({
    tab,
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee();
    for (const [title, jenis] of [
      ['Gaji Oktober', 'gaji'],
      ['Gaji November', 'gaji'],
      ['Rapat Senin', 'info'],
    ] as const)
      await send(title, { jenis });
    await followTo(tab, '/portal/notifications');
    await expect.poll(() => textsOf(tab, '[data-no]'), soon).toHaveLength(3);
    expect(await textsOf(tab, '#content h2')).toEqual(['Hari ini']);
    await tab.press('a[href*="kind=gaji"]');
    await expect.poll(() => textsOf(tab, '[data-no]'), soon).toHaveLength(2);
    await tab.press('[data-no] button[aria-label$=": Gaji November"]');
    await expect.poll(() => attributeOf(tab, '[data-no]', 'data-read'), soon).toBe('true');
    // The list shows a mark at once, the bell when the service has stored it.
    await expect.poll(() => unread(tab), soon).toBe(2);
    await tab.press('a[href*="filter=unread"]');
    await expect.poll(() => textsOf(tab, '[data-no]'), soon).toEqual([expect.stringContaining('Gaji Oktober')]);
    expect(await pathOf(tab)).toBe('/portal/notifications?filter=unread&kind=gaji');
  });

  test('the dialog of a new key copies the key', async ({ tab, base, company, signIn }) => {
    await signIn(company.username);
    await tab.open(`${base}/owner/keys`);
    await tab.press(button('Buat kunci'));
    await expect.poll(() => textsOf(tab, '[role=dialog] [name=name]'), soon).toHaveLength(1);
    await tab.type('[role=dialog] [name=name]', 'n8n gaji');
    await tab.press('[role=dialog] button[type=submit]');
    await expect.poll(() => textsOf(tab, '[role=dialog] textarea[readonly]'), soon).not.toEqual([]);
    const key = await tab.evaluate<string>(`document.querySelector('[role=dialog] textarea[readonly]').value`);
    noteSecret(key);
    expect(key).toMatch(/^jss_[0-9A-Za-z]{64}$/);
    await tab.press(button('Salin kunci'));
    await expect.poll(() => textsOf(tab, button('Tersalin')), soon).toHaveLength(1);
    await tab.press(button('Saya sudah menyimpan kunci'));
    await expect.poll(() => textsOf(tab, '[role=dialog]'), soon).toEqual([]);
    await expect.poll(() => textsOf(tab, '[data-key="n8n gaji"]'), soon).toHaveLength(1);
    // Only the browser itself may read the clipboard.
    await tab.press(button('Buat kunci'));
    await expect.poll(() => textsOf(tab, '[role=dialog] [name=name]'), soon).toHaveLength(1);
    await tab.paste('[role=dialog] [name=name]');
    await expect.poll(() => tab.evaluate(`document.querySelector('[role=dialog] [name=name]').value`), soon).toBe(key);
  });
});
