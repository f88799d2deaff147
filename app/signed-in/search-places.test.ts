import { expect, test } from 'vitest';
import { menus } from '#app/signed-in/menu.ts';
import { findPlaces } from '#app/signed-in/search-places.ts';
import english from '#messages/en/icu/pages.json';
import indonesian from '#messages/id/icu/pages.json';

const find = (typed: string, menu: 'owner' | 'manager' = 'owner', { search, nav } = indonesian) =>
  findPlaces(
    typed,
    menus[menu].flatMap(({ pages }) => pages),
    (found) => ('page' in found ? nav[found.page] : search.places[found.place]),
  ).map(({ href }) => href);

// What people typed, in both languages, and where it leads.
const typed: Record<string, string[]> = {
  '/owner/sends/new': ['kirim pesan', 'send message', 'pengumuman', 'tulis', 'foto'],
  '/owner/employees/import': ['impor', 'import', 'excel', 'unggah', 'tambah karyawan'],
  '/owner/employees/invitations': ['undangan', 'invite'.slice(0, 5), 'cetak'],
  '/owner/employees/join': ['gabung', 'whatsapp', 'join'],
  '/owner/settings#language': ['bahasa', 'language', 'inggris'],
  '/owner/settings#theme': ['tema', 'gelap', 'dark'],
  '/owner/settings#password': ['kata sandi', 'password', 'ganti kata'],
  '/owner/settings#passkeys': ['sidik jari', '2fa'],
  '/owner/settings#sessions': ['keluar', 'perangkat'],
  '/owner/settings/company#logo-title': ['logo', 'merek'],
  '/owner/settings/company#company': ['zona waktu', 'wita'],
  '/owner/settings/company#bell': ['lonceng', 'embed'],
  '/owner/settings/access#provider': ['google', 'sso'],
  '/owner/settings/access': ['manajer', 'admin'],
  '/owner/settings/data#export': ['ekspor', 'unduh', 'backup'],
  '/owner/settings/data#retention': ['hapus', 'retensi'],
  '/owner/sends/planned': ['jadwal', 'berulang'],
  '/owner/statistics': ['laporan', 'statistics'],
  '/owner/employees': ['hapus karyawan', 'delete employee'],
  '/owner/keys': ['kunci', 'api', 'token'],
  '/owner/audit': ['riwayat', 'log'],
};

test.each(Object.entries(typed))('what people type leads to %s, in both languages', (href, words) => {
  for (const word of words)
    for (const language of [indonesian, english]) expect(find(word, 'owner', language), word).toContain(href);
});

test('a manager finds no setting of the company, and a word that means nothing finds nothing', () => {
  expect(find('logo', 'manager')).toEqual([]);
  expect(find('kirim', 'manager')).toContain('/owner/sends/new');
  expect(find('gaji')).toEqual([]);
});
