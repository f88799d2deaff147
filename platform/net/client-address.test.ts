import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { addressGroup } from '#platform/config/ip-address.ts';

const networks = '10.0.0.0/8, 192.0.2.7, 2001:db8:5::/48, ::ffff:198.51.100.0/120';

afterEach(() => vi.unstubAllEnvs());

// The settings are read once, so each list of proxies gets a module of its own.
async function withProxies(list: string, appUrl = '') {
  vi.stubEnv('TRUSTED_PROXIES', list);
  vi.stubEnv('APP_URL', appUrl);
  vi.resetModules();
  const { isFromProxy, ...addresses } = await import('#platform/net/client-address.ts');
  const asRequest = (remoteAddress: string | undefined, list?: string) =>
    ({ socket: { remoteAddress }, headers: list === undefined ? {} : { 'x-forwarded-for': list } }) as IncomingMessage;
  return {
    addressOf: (peer: string | undefined, list?: string) => addresses.clientAddressOf(asRequest(peer, list)),
    isProxy: (peer: string) => isFromProxy(asRequest(peer).socket),
    forwardedAddress: addresses.forwardedAddress,
    isForeign: (remoteAddress: string, host?: string) =>
      addresses.isForOtherHost(host, isFromProxy(asRequest(remoteAddress).socket)),
  };
}

test('without the setting only the proxy of this machine may say who the client is; with none, nobody', async () => {
  const { addressOf } = await withProxies('');
  expect(addressOf('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('::ffff:127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('::1', '203.0.113.1, 203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('10.0.0.5', '203.0.113.9')).toBe('10.0.0.5');
  expect(addressOf('127.0.0.2', '203.0.113.9')).toBe('127.0.0.2');
  expect([addressOf('127.0.0.1'), addressOf(undefined, '203.0.113.9')]).toEqual(['127.0.0.1', 'unknown']);
  const none = await withProxies('none');
  expect([none.addressOf('127.0.0.1', '203.0.113.9'), none.isProxy('127.0.0.1')]).toEqual(['127.0.0.1', false]);
});

test('the last address that is not a trusted proxy is the client, through one proxy and two', async () => {
  const { addressOf } = await withProxies(networks);
  expect(addressOf('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('192.0.2.7', '198.18.0.1, 203.0.113.9, 10.9.9.9')).toBe('203.0.113.9');
  expect(addressOf('127.0.0.1', '203.0.113.9, 198.51.100.77')).toBe('203.0.113.9');
  expect(addressOf('2001:db8:5::1', '2001:DB8:0:0::9, 2001:db8:5:ffff::2')).toBe('2001:db8::9');
  expect(addressOf('::ffff:10.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('192.0.2.8', '203.0.113.9')).toBe('192.0.2.8');
  expect(addressOf('203.0.113.200', '10.0.0.1')).toBe('203.0.113.200');
  // A client inside a trusted network.
  expect(addressOf('10.0.0.1', '10.0.0.99')).toBe('10.0.0.99');
});

test('ports, brackets, quotes and zones are not part of an address', async () => {
  const { addressOf } = await withProxies(networks);
  for (const written of ['203.0.113.9:51234', ' 203.0.113.9 ', '"203.0.113.9:1"', '[::ffff:203.0.113.9]:443'])
    expect([written, addressOf('10.0.0.1', written)]).toEqual([written, '203.0.113.9']);
  for (const written of ['[2001:db8::9]:443', '[2001:db8::9]', '2001:0db8::0009', '"[2001:db8::9%eth0]"'])
    expect([written, addressOf('10.0.0.1', written)]).toEqual([written, '2001:db8::9']);
});

test('a text that is no address ends the search at the proxy that wrote it', async () => {
  const { addressOf } = await withProxies(networks);
  for (const junk of ['unknown', '', '_hidden', '1.2.3', '010.1.1.1', '1.2.3.4/8', '[::1', 'x'.repeat(9999)]) {
    expect([junk, addressOf('10.0.0.1', junk)]).toEqual([junk, '10.0.0.1']);
    expect(addressOf('10.0.0.1', `203.0.113.9, ${junk}, 10.0.0.2`)).toBe('10.0.0.2');
    expect(addressOf('10.0.0.1', `${junk}, 203.0.113.9`)).toBe('203.0.113.9');
  }
});

test('10,000 entries that a client invented change nothing; the pages read the list in the same way', async () => {
  const { addressOf, forwardedAddress } = await withProxies(networks);
  const invented = Array.from({ length: 10_000 }, (_, at) => `10.0.${at >> 8}.${at % 256}`).join(', ');
  expect(addressOf('10.0.0.1', `${invented}, 203.0.113.9`)).toBe('203.0.113.9');
  expect(addressOf('10.0.0.1', invented)).toBe('10.0.0.0');
  expect(addressOf('203.0.113.200', invented)).toBe('203.0.113.200');
  const lists = ['203.0.113.9', '198.18.0.1, 203.0.113.9, 10.0.0.2', null, '', 'junk'];
  const read = ['203.0.113.9', '203.0.113.9', 'unknown', 'unknown', 'unknown'];
  expect(lists.map(forwardedAddress)).toEqual(read);
});

test('a page is for the host of APP_URL or this machine; a proxy may name the service otherwise', async () => {
  const { isForeign } = await withProxies('10.0.0.0/8', 'https://Notif.Example.com:8443');
  const own = ['NOTIF.example.com:8443', 'notif.example.com.:80', 'localhost:3000', '127.0.0.1', '[::1]:3000'];
  const internal = ['service:3000', '10.0.0.7:3000', '[fd00::7]:3000', undefined, ''];
  const foreign = ['evil.test:3000', 'notif.example.com.evil.test', 'a@notif.example.test', '127.0.0.1.evil.test'];
  const judge = (host?: string) => [isForeign('203.0.113.9', host), isForeign('10.0.0.5', host)];
  for (const host of own) expect(judge(host), host).toEqual([false, false]);
  for (const host of internal) expect(judge(host), host).toEqual([true, false]);
  for (const host of foreign) expect(judge(host), host).toEqual([true, true]);
  // A trial: a stranger's page may lead its own name to this machine.
  for (const appUrl of ['', 'http://127.0.0.1:3000']) {
    const trial = await withProxies('', appUrl);
    for (const host of ['localhost', 'notif.localhost:3000', '192.168.1.5:3000', '[fd00::7]', 'komputer-kantor'])
      expect([host, trial.isForeign('203.0.113.9', host)]).toEqual([host, false]);
    for (const host of foreign) expect([host, trial.isForeign('127.0.0.1', host)]).toEqual([host, true]);
  }
});

test('a wrong entry is named with its reason', async () => {
  for (const [list, reason] of [
    ['10.0.0.0/8, proxy.example.com', '"proxy.example.com" is not an address such as 10.0.0.5'],
    ['10.0.0.0/33', '"10.0.0.0/33" is not'],
    ['2001:db8::/129', '"2001:db8::/129" is not'],
    ['::ffff:10.0.0.0/8', '"::ffff:10.0.0.0/8" is not'],
    ['10.0.0', '"10.0.0" is not'],
    ['10.0.0.5,', '"" is not'],
    ['10.0.0.5:80', '"10.0.0.5:80" is not'],
    ['none, 10.0.0.5', '"none" is not'],
    ['0.0.0.0/0', '"0.0.0.0/0" trusts every machine'],
    ['::/0', '"::/0" trusts every machine'],
  ] as const) {
    const { addressOf } = await withProxies(list);
    expect(() => addressOf('10.0.0.1')).toThrow(`TRUSTED_PROXIES: ${reason}`);
  }
});

test('the addresses of one /64 are one group, in any spelling; an IPv4 address is one of its own', () => {
  const same = ['2001:db8:0:1::1', '2001:DB8::1:ffff:0:0:2', '2001:0db8:0000:0001:1:2:3:4', '[2001:db8:0:1::9]'];
  expect(new Set(same.map(addressGroup))).toEqual(new Set(['2001:db8:0:1::/64']));
  expect(addressGroup('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
  expect(addressGroup('::1')).toBe('0:0:0:0::/64');
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  // Texts that are no addresses stay as they are.
  for (const address of ['203.0.113.7', 'unknown', '']) expect(addressGroup(address)).toBe(address);
  expect(addressGroup('::ffff:203.0.113.7')).toBe('203.0.113.7');
});
