import { expect, test } from 'vitest';
import { printed } from '#e2e/fixtures/printed.ts';

test('a page as Markdown has the address of this very service in its programs', async () => {
  const [block] = await printed('recipes', 'en');
  expect(block).toEqual({
    language: 'sh',
    text: `curl -H "X-API-Key: $NOTIF_KEY" "${process.env.SERVICE_URL}/api/v1/notif.php?aksi=ping"`,
  });
});
