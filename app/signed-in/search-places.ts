import type { MenuPage } from '#app/signed-in/menu.ts';
import type messages from '#messages/id/icu/pages.json';

/** An action or a setting that the search finds. `name` is a text below `search.places`. */
type Place = { href: string; name: keyof typeof messages.search.places; words: string; managers?: boolean };

// What people type in either language, also where the page's own texts have another word.
const pageWords: Partial<Record<MenuPage['name'], string>> = {
  home: 'home dasbor dashboard ringkasan overview',
  sent: 'sent kiriman outbox siapa baca read tarik withdraw koreksi correct',
  planned: 'planned scheduled jadwal berulang repeat recurring otomatis nanti later',
  templates: 'templates templat contoh simpan',
  statistics: 'statistics laporan report grafik chart',
  mustConfirm: 'confirm konfirmasi wajib must read jenis kind',
  list: 'employees karyawan pegawai staff people orang daftar',
  requests: 'requests bergabung gabung join permintaan setujui approve',
  invitations: 'invitations undangan undang qr poster cetak print kertas',
  keys: 'keys api kunci token integrasi integration sistem',
  rejected: 'failed rejected gagal error kesalahan 400 401',
  alarms: 'alarms warnings alarm peringatan bahaya push',
  docs: 'documentation bantuan help panduan guide dokumentasi contoh curl',
  account: 'account akun profil profile',
  company: 'company perusahaan pt zona waktu timezone',
  access: 'owners managers pemilik manajer admin hak peran rights',
  audit: 'audit log riwayat history catatan',
  data: 'data hapus delete simpan',
};

const places: Place[] = [
  {
    href: '/owner/sends/new',
    name: 'send',
    managers: true,
    words: 'kirim pesan send message tulis write baru new pengumuman broadcast umumkan gambar foto picture',
  },
  { href: '/owner/sends/templates/new', name: 'newTemplate', managers: true, words: 'template templat baru new' },
  {
    href: '/owner/employees/import',
    name: 'import',
    managers: true,
    words: 'impor import csv excel unggah upload tambah add karyawan employees daftar',
  },
  {
    href: '/owner/employees/join',
    name: 'joinLink',
    managers: true,
    words: 'tautan gabung link join whatsapp qr poster',
  },
  {
    href: '/owner/settings#language',
    name: 'language',
    managers: true,
    words: 'bahasa language inggris english indonesia',
  },
  {
    href: '/owner/settings#theme',
    name: 'theme',
    managers: true,
    words: 'tema theme gelap dark terang light mode warna color',
  },
  { href: '/owner/settings#password', name: 'password', managers: true, words: 'kata sandi password ganti change' },
  {
    href: '/owner/settings#passkeys',
    name: 'passkeys',
    managers: true,
    words: 'passkey sidik jari fingerprint wajah face 2fa dua langkah',
  },
  {
    href: '/owner/settings#sessions',
    name: 'sessions',
    managers: true,
    words: 'sesi sessions perangkat devices keluar sign out',
  },
  { href: '/owner/settings#name', name: 'ownName', managers: true, words: 'nama name saya' },
  { href: '/owner/settings/company#company', name: 'timeZone', words: 'zona waktu timezone wib wita wit jam' },
  { href: '/owner/settings/company#logo-title', name: 'logo', words: 'logo gambar perusahaan merek brand' },
  { href: '/owner/settings/company#links', name: 'links', words: 'tautan link portal alamat url domain' },
  { href: '/owner/settings/company#bell', name: 'bell', words: 'lonceng bell widget embed tanam situs website' },
  {
    href: '/owner/settings/access#provider',
    name: 'provider',
    words: 'google microsoft sso login masuk sign in penyedia provider',
  },
  { href: '/owner/settings/data#export', name: 'export', words: 'ekspor export unduh download cadangan backup csv' },
  {
    href: '/owner/settings/data#retention',
    name: 'retention',
    words: 'hapus delete simpan keep lama retensi retention umur',
  },
];

/** A page or action that was found; a page's text is below `nav`, another's below `search.places`. */
export type FoundPlace = { href: string } & ({ page: MenuPage['name'] } | { place: Place['name'] });

/**
 * Finds the pages of a menu, and what can be done on them, by what a person types: each word begins
 * a word of the name or a synonym in either language. `nameOf` says how a place is called. Actions
 * and settings come first.
 */
export function findPlaces(typed: string, pages: MenuPage[], nameOf: (found: FoundPlace) => string): FoundPlace[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (known: string) => {
    const all = known.toLowerCase().split(/[\s,&()]+/);
    return words.every((word) => all.some((one) => one.startsWith(word)));
  };
  const isOwner = pages.some(({ name }) => name === 'company');
  const found: [FoundPlace, string][] = [
    ...places
      .filter(({ managers }) => words.length > 0 && (isOwner || managers))
      .map(({ href, name, words: known }): [FoundPlace, string] => [{ href, place: name }, known]),
    ...pages.map(({ href, name }): [FoundPlace, string] => [{ href, page: name }, pageWords[name] ?? '']),
  ];
  return found.filter(([place, known]) => matches(`${nameOf(place)} ${known}`)).map(([place]) => place);
}
