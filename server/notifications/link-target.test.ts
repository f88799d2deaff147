import { expect, test } from 'vitest';
import { findLinkTarget, readLinkBase } from '#server/notifications/link-target.ts';

const base = 'https://hr.example.com/erp';

test('paths of this service stay here, all others lead to the company portal, or nowhere', () => {
  for (const path of ['/portal', '/portal/settings', '/portal/notifications/5?x=1#y', '/owner', '/docs/start'])
    for (const linkBase of [base, null]) expect(findLinkTarget(path, linkBase)).toEqual({ href: path, host: null });
  expect(findLinkTarget('/gaji/2026-11?a=1#b', base)).toEqual({
    href: `${base}/gaji/2026-11?a=1#b`,
    host: 'hr.example.com',
  });
  expect(findLinkTarget('/portalku', base)?.host).toBe('hr.example.com');
  expect(findLinkTarget('/', base)?.href).toBe(`${base}/`);
  for (const path of ['/gaji/2026-11', '/', '/portalku']) expect(findLinkTarget(path, null)).toBeNull();
});

test('a path cannot choose the host, nor leave the prefix', () => {
  for (const path of ['/../x', '/a/../../x', '/%2e%2e/x', '/./x'])
    expect(findLinkTarget(path, base)?.href).toBe(`${base}/x`);
  expect(findLinkTarget('/x/../portal/help', base)).toEqual({ href: '/portal/help', host: null });
  for (const path of ['/@evil.example', '/:80@evil.example/', '/.evil.example']) {
    const target = findLinkTarget(path, 'https://hr.example.com');
    expect(new URL(target?.href ?? '').hostname).toBe('hr.example.com');
  }
});

test('the address of a portal is https with a host; a trial may use this machine', () => {
  expect(readLinkBase(' https://HR.example.com/ ', false)).toEqual({ linkBase: 'https://hr.example.com' });
  expect(readLinkBase('https://hr.example.com:8443/erp/', false)).toEqual({
    linkBase: 'https://hr.example.com:8443/erp',
  });
  for (const text of ['hr.example.com', '', '/erp', 'https://'])
    expect(readLinkBase(text, true)).toBe('not-an-address');
  for (const text of [
    'http://hr.example.com',
    'javascript:alert(1)',
    'ftp://hr.example.com',
    'http://localhost.evil.example',
  ])
    expect(readLinkBase(text, true)).toBe('not-https');
  for (const text of [
    'https://a@hr.example.com',
    'https://a:b@hr.example.com',
    'https://hr.example.com?x',
    'https://hr.example.com/#',
    'https:\\\\hr.example.com',
  ])
    expect(readLinkBase(text, true)).toBe('has-more');
  expect(readLinkBase('http://127.0.0.1:8069', true)).toEqual({ linkBase: 'http://127.0.0.1:8069' });
  expect(readLinkBase('http://127.0.0.1:8069', false)).toBe('not-https');
});
