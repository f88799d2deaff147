import { afterEach, expect, test, vi } from 'vitest';
import { forgetCard, rememberCard } from '#app/portal/device/browser.ts';

afterEach(() => void vi.unstubAllGlobals());

test('the cookie that a page sets itself is __Host- and Secure behind TLS', () => {
  const page = { cookie: '' };
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'https:' });
  rememberCard();
  expect(page.cookie).toBe('__Host-device-card=seen; path=/; max-age=31536000; samesite=lax; secure');
  forgetCard();
  expect(page.cookie).toMatch(/^__Host-device-card=seen; path=\/; max-age=0; .*; secure$/);
  vi.stubGlobal('location', { protocol: 'http:' });
  rememberCard();
  expect(page.cookie).toBe('device-card=seen; path=/; max-age=31536000; samesite=lax');
});
