import { expect } from 'vitest';
import { textsOf } from '#e2e/browsers/drive/tab.ts';
import { button, inEachBrowser, soon } from '#e2e/browsers/portal.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';

inEachBrowser((test) => {
  test('a field for a day shows it in the Indonesian order, whatever the browser’s language', async ({
    tab,
    base,
    company,
    signIn,
  }) => {
    await signIn(company.username);
    await tab.open(`${base}/owner/audit?from=2026-01-05`);
    expect(await tab.evaluate(`document.querySelector('[name=from]').value`)).toBe('05/01/2026');
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
