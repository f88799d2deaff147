import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

const listOfKinds = kinds.map((kind) => `\`${kind}\``).join(', ');

/** The document's paragraphs in Indonesian, by the English one. A test compares both sets. */
export const indonesian: Record<string, string> = {
  'Send notifications to the employees of one company. They hear a sound and see a pop-up within 20 seconds wherever their portal is open, or find it at their next sign-in.':
    'Kirim notifikasi kepada karyawan satu perusahaan. Di mana pun portal mereka terbuka, mereka mendengar suara dan melihat pop-up dalam 20 detik; jika tidak, notifikasi menunggu sampai mereka masuk lagi.',
  '**Key.** The owner of the company makes it; it is `jss_` and 64 letters and digits. Send it as `Authorization: Bearer <key>` or as `X-API-Key: <key>`: in exactly one of the two headers, never in the address. The key decides the company. It can do three things: check that it works, list the employees (id, name, role), and send.':
    '**Kunci.** Dibuat oleh pemilik perusahaan; bentuknya `jss_` diikuti 64 huruf dan angka. Kirim sebagai `Authorization: Bearer <kunci>` atau `X-API-Key: <kunci>`: di tepat satu dari kedua header itu, jangan pernah di alamat. Kunci menentukan perusahaannya. Kunci hanya bisa tiga hal: memeriksa dirinya sendiri, menampilkan daftar karyawan (id, nama, peran), dan mengirim.',
  '**Limit.** 60 requests a minute for each key, all operations together. `X-RateLimit-Remaining` says how many are left; what comes after the last is 429 with `Retry-After: 60` and sends nothing.':
    '**Batas.** 60 permintaan per menit untuk setiap kunci, semua operasi dihitung bersama. `X-RateLimit-Remaining` menyebut sisanya; permintaan sesudah sisa habis dijawab 429 dengan `Retry-After: 60` dan tidak mengirim apa pun.',
  '**Errors.** Every answer that is not 200 has `"ok": false`, a sentence to act on (`error`), a stable `code`, and `field` where one field is at fault. Programs look at the status and the `code`, never at the sentence, and treat a code they do not know by its status. Of several faults the first is named: the body as a whole, then `judul`, `isi`, `user_id`, `jenis`, `url`. Each code has its cause and cure at {base}/docs/errors.':
    '**Galat.** Setiap jawaban selain 200 berisi `"ok": false`, kalimat yang bisa ditindaklanjuti (`error`), `code` yang tetap, dan `field` jika satu kolom yang salah. Program memeriksa status dan `code`, jangan kalimatnya; kode yang belum dikenal diperlakukan menurut statusnya. Jika ada beberapa galat, yang pertama disebut: isi permintaan secara keseluruhan, lalu `judul`, `isi`, `user_id`, `jenis`, `url`. Sebab dan cara memperbaiki setiap kode ada di {base}/docs/errors.',
  '**Retry.** 429 and 503 may be repeated after the seconds in `Retry-After`, and so may a request whose connection broke. Give all attempts of one send the same `Idempotency-Key`: then it is sent once at most. 400, 401, 404 and 405 stay the same until the request or the key is another, and 500 until the service is repaired.':
    '**Mengulang.** 429 dan 503 boleh diulang setelah jumlah detik di `Retry-After`; permintaan yang koneksinya terputus juga boleh diulang. Beri semua percobaan dari satu pengiriman `Idempotency-Key` yang sama: maka terkirim paling banyak satu kali. 400, 401, 404, dan 405 tetap sama sampai permintaan atau kuncinya diganti, dan 500 sampai layanannya diperbaiki.',
  'Quick start, recipes for many tools and answers to common questions: {base}/docs.':
    'Mulai cepat, resep untuk banyak alat, dan jawaban atas pertanyaan umum: {base}/docs.',
  'Quick start, recipes, errors and troubleshooting.': 'Mulai cepat, resep, daftar galat, dan pemecahan masalah.',
  Notifications: 'Notifikasi',
  'Everything an API key can do.': 'Semua yang bisa dilakukan sebuah kunci API.',
  'The API key as `Authorization: Bearer <key>`.': 'Kunci API sebagai `Authorization: Bearer <kunci>`.',
  'The API key alone, for hosts that strip `Authorization`. Use exactly one of the two headers, and give a generated client the key for one only: some would fill both.':
    'Kunci API saja, untuk hosting yang menghapus `Authorization`. Pakai tepat satu dari kedua header, dan beri klien hasil generator kunci untuk satu header saja: sebagian mengisi keduanya.',

  'Check the key, or list the employees': 'Periksa kunci, atau tampilkan daftar karyawan',
  '`aksi=ping` checks that the key works; `aksi=karyawan` lists every employee of the company (active or not) by `user_id`. `aksi` must be given exactly once. `HEAD` gives the same status and headers without a body.':
    '`aksi=ping` memeriksa apakah kunci berfungsi; `aksi=karyawan` menampilkan semua karyawan perusahaan (aktif atau tidak) menurut `user_id`. `aksi` harus diberikan tepat satu kali. `HEAD` memberi status dan header yang sama tanpa isi.',
  '`ping` checks the key; `karyawan` lists the employees.':
    '`ping` memeriksa kunci; `karyawan` menampilkan daftar karyawan.',
  'Check the key': 'Periksa kunci',
  'List the employees': 'Tampilkan daftar karyawan',
  'The key works (`aksi=ping`), or the employees (`aksi=karyawan`).':
    'Kunci berfungsi (`aksi=ping`), atau daftar karyawan (`aksi=karyawan`).',
  'aksi=ping': 'aksi=ping',
  'aksi=karyawan': 'aksi=karyawan',
  'Always `true`.': 'Selalu `true`.',
  'Always `false`.': 'Selalu `false`.',
  'Answer to `aksi=ping` (`key` and `perusahaan`) or to `aksi=karyawan` (`karyawan`).':
    'Jawaban atas `aksi=ping` (`key` dan `perusahaan`) atau atas `aksi=karyawan` (`karyawan`).',
  'Answer to `aksi=ping`: name of the key used.': 'Jawaban atas `aksi=ping`: nama kunci yang dipakai.',
  'Answer to `aksi=ping`: name of the company that owns the key.':
    'Jawaban atas `aksi=ping`: nama perusahaan pemilik kunci.',
  'Answer to `aksi=karyawan`: every employee of the company.':
    'Jawaban atas `aksi=karyawan`: semua karyawan perusahaan.',
  'Employee id, the target of a notification.': 'Id karyawan, tujuan notifikasi.',
  'Name.': 'Nama.',
  'Role.': 'Peran.',

  'Send a notification': 'Kirim notifikasi',
  'Sends to one employee, or to every active employee when `user_id` is left out or 0. The body is a JSON object or form data of at most 64 KiB; query parameters are ignored.':
    'Mengirim kepada satu karyawan, atau kepada semua karyawan aktif jika `user_id` tidak ada atau 0. Isi permintaan berupa objek JSON atau data formulir, paling besar 64 KiB; parameter di alamat diabaikan.',
  'Any text of 1 to 255 visible ASCII characters. The same value with the same fields within 24 hours gives the first answer again without sending twice; with other fields it is 400.':
    'Teks apa pun, 1 sampai 255 karakter ASCII yang terlihat. Nilai yang sama dengan kolom yang sama dalam 24 jam memberi jawaban pertama lagi tanpa mengirim dua kali; dengan kolom lain dijawab 400.',
  'Errors come in Indonesian when it prefers `id`, else in English.':
    'Galat ditulis dalam bahasa Indonesia jika `id` lebih disukai, selain itu dalam bahasa Inggris.',
  'To one employee, with a link': 'Kepada satu karyawan, dengan tautan',
  'To every active employee': 'Kepada semua karyawan aktif',
  'A notification to send.': 'Notifikasi yang akan dikirim.',
  [`Title: 1 to ${draftLimits.title} characters (Unicode code points) of which at least one is visible.`]: `Judul: 1 sampai ${draftLimits.title} karakter (code point Unicode), paling sedikit satu terlihat.`,
  [`Body: 1 to ${draftLimits.body} characters (Unicode code points) of which at least one is visible.`]: `Isi: 1 sampai ${draftLimits.body} karakter (code point Unicode), paling sedikit satu terlihat.`,
  'Target employee, from `aksi=karyawan`. Left out or 0: every active employee. Its plain decimal form as a text (`"7"`) is read as the number. `null` and an empty text are refused. Where it is left out, a field that can only mean the recipient (`userId`, `karyawan_id`) is refused as well.':
    'Karyawan tujuan, dari `aksi=karyawan`. Tidak ada atau 0: semua karyawan aktif. Bentuk desimalnya sebagai teks (`"7"`) dibaca sebagai angka itu. `null` dan teks kosong ditolak. Jika tidak diisi, kolom yang hanya bisa berarti penerima (`userId`, `karyawan_id`) juga ditolak.',
  'A notification to send, as a form. All fields are texts.':
    'Notifikasi yang akan dikirim, sebagai formulir. Semua kolom berupa teks.',
  'Target employee, from `aksi=karyawan`, in plain decimal form. Left out or 0: every active employee. An empty text is refused. Where it is left out, a field that can only mean the recipient (`userId`, `karyawan_id`) is refused as well.':
    'Karyawan tujuan, dari `aksi=karyawan`, dalam bentuk desimal biasa. Tidak ada atau 0: semua karyawan aktif. Teks kosong ditolak. Jika tidak diisi, kolom yang hanya bisa berarti penerima (`userId`, `karyawan_id`) juga ditolak.',
  [`Kind: ${listOfKinds}. Selects the icon only. Anything else is treated as \`info\`.`]: `Jenis: ${listOfKinds}. Hanya menentukan ikon. Nilai lain dianggap \`info\`.`,
  'Internal path that begins with a single `/`, up to 2,048 characters. Addresses of other sites, `//`, backslashes and control characters are refused.':
    'Path internal yang diawali satu `/`, paling panjang 2.048 karakter. Alamat situs lain, `//`, garis miring terbalik, dan karakter kontrol ditolak.',
  'Sent, or there was nobody to send it to.': 'Terkirim, atau tidak ada yang bisa menerimanya.',
  'One employee received it': 'Satu karyawan menerimanya',
  'The target is inactive, or nobody is active': 'Karyawan tujuan nonaktif, atau tidak ada yang aktif',
  'Answer to a send.': 'Jawaban atas pengiriman.',
  'Number of employees that received the notification; 0 when the target is inactive or nobody is active.':
    'Jumlah karyawan yang menerima notifikasi; 0 jika karyawan tujuan nonaktif atau tidak ada yang aktif.',

  'Every answer that is not 200.': 'Setiap jawaban selain 200.',
  'A sentence a person can act on, in English or Indonesian (`Accept-Language`).':
    'Kalimat yang bisa ditindaklanjuti, dalam bahasa Inggris atau Indonesia (`Accept-Language`).',
  'Stable code of the failure; it never changes.': 'Kode tetap dari galat; tidak pernah berubah.',
  'The field at fault, where it is one field.': 'Kolom yang salah, jika hanya satu kolom.',
  'A parameter, the body or a field is wrong; the sentence says which and how to cure it.':
    'Parameter, isi permintaan, atau kolom salah; kalimatnya menyebut yang mana dan cara memperbaikinya.',
  'The key is missing, wrong, revoked, or in both headers.':
    'Kunci tidak ada, salah, sudah dicabut, atau ada di kedua header.',
  "No employee of the key's company has this `user_id`.":
    'Tidak ada karyawan di perusahaan kunci ini dengan `user_id` tersebut.',
  'The method is not GET, HEAD or POST.': 'Metodenya bukan GET, HEAD, atau POST.',
  'More than 60 requests in a minute.': 'Lebih dari 60 permintaan dalam satu menit.',
  'A defect of the service. Repeating the request does not help. The sentence says whether it is certain that nothing was sent.':
    'Cacat pada layanan. Mengulang permintaan tidak menolong. Kalimatnya menyebut apakah pasti tidak ada yang terkirim.',
  'The database is out of reach. The sentence says whether it is certain that nothing was sent.':
    'Basis data tidak terjangkau. Kalimatnya menyebut apakah pasti tidak ada yang terkirim.',

  'Requests a key may make in a minute.': 'Permintaan yang boleh dibuat satu kunci dalam satu menit.',
  'Requests left in the current minute; 0 when no valid key was sent.':
    'Sisa permintaan pada menit ini; 0 jika tidak ada kunci yang berlaku.',
  'The same limit in the standard form (draft-ietf-httpapi-ratelimit-headers): `q` requests in `w` seconds.':
    'Batas yang sama dalam bentuk standar (draft-ietf-httpapi-ratelimit-headers): `q` permintaan dalam `w` detik.',
  'What is left of it (`r`) and in how many seconds it begins anew (`t`). Absent when no valid key was sent.':
    'Sisanya (`r`) dan berapa detik lagi hitungan dimulai dari awal (`t`). Tidak ada jika tidak ada kunci yang berlaku.',
  'This document (`service-desc`), its documentation (`service-doc`), and for a failure the place that explains it (`help`).':
    'Dokumen ini (`service-desc`), dokumentasinya (`service-doc`), dan untuk galat tempat penjelasannya (`help`).',
  'Identifies this request in the audit log.': 'Menandai permintaan ini di riwayat audit.',
  '`true` when this is the remembered answer of an earlier send with the same `Idempotency-Key`.':
    '`true` jika ini jawaban yang diingat dari pengiriman sebelumnya dengan `Idempotency-Key` yang sama.',
  'Seconds to wait.': 'Detik yang harus ditunggu.',
  'The methods that are allowed.': 'Metode yang diizinkan.',
  'How to authenticate.': 'Cara mengautentikasi.',
  'Answers are never kept.': 'Jawaban tidak pernah disimpan.',
  'The answer is JSON and nothing else.': 'Jawaban adalah JSON, tidak pernah yang lain.',
};
