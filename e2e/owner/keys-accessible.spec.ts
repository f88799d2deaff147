import { check, listSmallTargets } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { expireKey, keep, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { editKey, fingerprintOf, replaceKey, revokeKey } from '#server/keys/keys.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const longName = 'NamaKunciYangSangatPanjangSekaliTanpaPutusSampaiEnamPuluh';
const client = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36';

// Creates a key with a replacement, a revoked key, and refused calls of both. Returns the first key.
async function createKeys(company: Company): Promise<string> {
  const old = await company.newKey(longName);
  const gone = await company.newKey('dicabut');
  const [key, revoked] = [await principalOf(old), await principalOf(gone)];
  await editKey(company.owner, key.id, { note: 'n'.repeat(500), mustConfirm: true, expectedEveryMinutes: 10080 });
  await replaceKey(company.owner, key.id, { name: `${longName} 2` });
  await revokeKey(company.owner, revoked.id);
  const rejection = { code: 'field_too_long', field: 'judul', parameters: { limit: 120, length: 130 } };
  await keep(
    { key, fingerprint: fingerprintOf(old), rejection, client, operation: 'send' },
    { fingerprint: fingerprintOf(gone), rejection: { code: 'key_rejected' }, client: 'x'.repeat(200) },
    { key, fingerprint: fingerprintOf(old), client },
  );
  await expireKey(old, 24 * 60 * 60);
  await sendNotification(
    key,
    { recipients: { to: 'everyone' }, title: longName, body: 'y', kind: 'gaji', url: null },
    'x',
  );
  return old;
}

for (const [locale, colorScheme] of [
  ['id-ID', 'light'],
  ['en-GB', 'dark'],
] as const) {
  test.describe(`${locale}, ${colorScheme}`, () => {
    test.use({ locale, colorScheme, viewport: { width: 360, height: 740 } });

    test('the pages and dialogs for keys pass axe, fit 360 px, and have large enough targets', async ({
      page,
      company,
      signIn,
    }) => {
      test.setTimeout(120_000);
      const key = await createKeys(company);
      const other = await makeCompany();
      await other.newKey('tetangga');
      await signIn(page, company.username);
      const { id } = await principalOf(key);
      for (const path of ['/owner/keys', '/owner/keys?state=revoked', `/owner/keys/${id}`, '/owner/audit/refused']) {
        await page.goto(path);
        await check(page, path);
        expect([path, await listSmallTargets(page)]).toEqual([path, []]);
        expect(await page.content()).not.toContain('tetangga');
      }
      await page.goto('/owner/keys');
      for (const action of [
        /^(Pantau|Watch)$/,
        /^(Ubah|Edit)$/,
        /^(Buat kunci pengganti|Create repl.*)$/,
        /^(Cabut|Revoke)$/,
      ]) {
        await page.getByRole('button', { name: new RegExp(`(Tindakan untuk|Actions for).* ${longName}$`) }).click();
        await page.getByRole('menuitem', { name: action }).click();
        const dialog = page.getByRole('dialog');
        await expect(dialog).toHaveCSS('opacity', '1');
        await expect(page.getByRole('menu')).toHaveCount(0);
        await check(page, String(action));
        expect([action, await listSmallTargets(page)]).toEqual([action, []]);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      }
    });
  });
}
