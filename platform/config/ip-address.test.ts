import { expect, test } from 'vitest';
import { addressGroup } from '#platform/config/ip-address.ts';

test('the addresses of one /64 are one group, in any spelling; others are not', () => {
  const same = ['2001:db8:0:1::1', '2001:DB8::1:ffff:0:0:2', '2001:0db8:0000:0001:1:2:3:4', '[2001:db8:0:1::9]'];
  expect(new Set(same.map(addressGroup))).toEqual(new Set(['2001:db8:0:1::/64']));
  expect(addressGroup('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
  expect(addressGroup('::1')).toBe('0:0:0:0::/64');
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
});

test('an IPv4 address is a group of its own, also in its IPv6 form; other texts stay as they are', () => {
  expect(['203.0.113.7', '::ffff:203.0.113.7', 'unknown', ''].map(addressGroup)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    'unknown',
    '',
  ]);
});
