import type { FailureCode, Language } from '#server/api/failures.ts';

type Cause = Record<Language, string>;

const database: Cause = {
  en: 'The database is being restarted or is out of reach. It is not your fault.',
  id: 'Basis data sedang dimulai ulang atau tidak terjangkau. Ini bukan kesalahan Anda.',
};

/** The usual cause of each failure, for the table of errors. Its sentence says what to do. */
export const errorCauses: Record<FailureCode, Cause> = {
  key_missing: {
    en: 'The header was never set, the variable with the key is empty, or the host removes Authorization on the way.',
    id: 'Header belum dipasang, variabel yang berisi kunci kosong, atau hosting menghapus Authorization di jalan.',
  },
  key_without_bearer: {
    en: 'The key was put into Authorization alone.',
    id: 'Kunci dimasukkan ke Authorization begitu saja.',
  },
  key_wrapped: {
    en: 'The tool adds a word, quotes or an encoding of its own to the key, such as “Basic auth” or “Token”.',
    id: 'Alat menambahkan kata, tanda kutip, atau pengodean sendiri pada kunci, misalnya “Basic auth” atau “Token”.',
  },
  key_in_query: {
    en: 'The key was added to the address as a parameter. Addresses are kept in logs and histories.',
    id: 'Kunci ditambahkan ke alamat sebagai parameter. Alamat tersimpan di log dan riwayat.',
  },
  key_malformed: {
    en: 'The key was copied without its end, or with a character too many, or typed by hand.',
    id: 'Kunci disalin tanpa bagian akhirnya, dengan karakter lebih, atau diketik ulang.',
  },
  key_rejected: {
    en: 'The owner revoked the key, its last day has passed, or it belongs to another deployment.',
    id: 'Pemilik sudah mencabut kunci, masa berlakunya habis, atau kunci itu milik pemasangan lain.',
  },
  key_in_both_headers: {
    en: 'A tool fills Authorization by itself while X-API-Key was set by hand.',
    id: 'Alat mengisi Authorization sendiri, sementara X-API-Key diisi manual.',
  },
  rate_limited: {
    en: 'A loop without a pause, several jobs with one key, or one send for each employee where one to everyone would do.',
    id: 'Perulangan tanpa jeda, beberapa pekerjaan memakai satu kunci, atau satu kiriman per karyawan padahal cukup satu untuk semua.',
  },
  method_not_allowed: {
    en: 'The tool is set to PUT, PATCH or DELETE, or a browser asks first with OPTIONS. Calls belong on a server, not on a page.',
    id: 'Alat diatur ke PUT, PATCH, atau DELETE, atau browser bertanya dulu dengan OPTIONS. Panggilan dilakukan dari server, bukan dari halaman web.',
  },
  aksi_missing: {
    en: 'A GET without ?aksi=…; often a POST that a redirect turned into a GET.',
    id: 'GET tanpa ?aksi=…; sering kali POST yang berubah menjadi GET karena pengalihan.',
  },
  aksi_repeated: {
    en: 'The address has the parameter already, and the tool adds it again.',
    id: 'Parameter sudah ada di alamat, lalu alat menambahkannya lagi.',
  },
  aksi_unknown: {
    en: 'A typing error, capitals, or an attempt to send by GET.',
    id: 'Salah ketik, huruf besar, atau mencoba mengirim dengan GET.',
  },
  body_too_large: {
    en: 'A whole record, a file or an image was sent along.',
    id: 'Seluruh data, berkas, atau gambar ikut terkirim.',
  },
  body_incomplete: {
    en: 'A Content-Length counted in characters instead of bytes, or a broken connection.',
    id: 'Content-Length dihitung dalam karakter, bukan byte, atau koneksi terputus.',
  },
  body_empty: {
    en: 'The body was never set, or was lost in a redirect.',
    id: 'Isi permintaan belum diisi, atau hilang karena pengalihan.',
  },
  body_not_utf8: {
    en: 'A file or program in Windows-1252 or ISO-8859-1; Windows PowerShell 5.1 sends strings that way.',
    id: 'Berkas atau program memakai Windows-1252 atau ISO-8859-1; Windows PowerShell 5.1 mengirim string seperti itu.',
  },
  body_utf16: {
    en: 'A file that Windows PowerShell wrote with > or Out-File.',
    id: 'Berkas yang ditulis Windows PowerShell dengan > atau Out-File.',
  },
  content_type_missing: {
    en: 'The tool sends a raw body without a label.',
    id: 'Alat mengirim isi mentah tanpa label.',
  },
  content_type_unsupported: {
    en: 'The tool’s body is set to “text” or “XML”, or the header is set twice.',
    id: 'Isi permintaan di alat diatur ke “text” atau “XML”, atau header-nya dipasang dua kali.',
  },
  charset_unsupported: {
    en: 'The program names its own charset.',
    id: 'Program menyebutkan charset-nya sendiri.',
  },
  content_encoding_unsupported: {
    en: 'The program compresses what it sends.',
    id: 'Program mengompresi yang dikirimnya.',
  },
  json_malformed: {
    en: 'JSON put together from pieces of text: a quote, a line break or a placeholder in it breaks it.',
    id: 'JSON disambung dari potongan teks: tanda kutip, baris baru, atau placeholder di dalamnya membuatnya rusak.',
  },
  json_not_object: {
    en: 'A list of items was sent at once, or JSON was encoded twice.',
    id: 'Daftar item dikirim sekaligus, atau JSON dikodekan dua kali.',
  },
  json_labelled_as_form: {
    en: 'curl -d without -H "Content-Type: application/json".',
    id: 'curl -d tanpa -H "Content-Type: application/json".',
  },
  form_labelled_as_json: {
    en: 'The header says JSON, and the tool sends its fields as a form.',
    id: 'Header menyebut JSON, tetapi alat mengirim kolomnya sebagai formulir.',
  },
  form_malformed: {
    en: 'Form data written by hand, or a Content-Type with a boundary set by hand.',
    id: 'Data formulir ditulis sendiri, atau Content-Type dengan boundary diisi sendiri.',
  },
  file_not_accepted: {
    en: 'A field of the form was set to “file”; with curl -F a text that begins with @ means a file.',
    id: 'Kolom formulir diatur sebagai “file”; pada curl -F teks yang diawali @ berarti berkas.',
  },
  field_repeated: {
    en: 'The same field twice in a form.',
    id: 'Kolom yang sama dua kali di formulir.',
  },
  field_missing: {
    en: 'The field has another name in your tool, such as title or message, or a webhook came whose body is fixed.',
    id: 'Kolomnya bernama lain di alat Anda, misalnya title atau message, atau yang datang webhook yang isinya tetap.',
  },
  field_blank: {
    en: 'An expression or variable that found nothing.',
    id: 'Ekspresi atau variabel yang tidak menemukan apa-apa.',
  },
  field_not_text: {
    en: 'A number, a list or an object where a text belongs.',
    id: 'Angka, daftar, atau objek di tempat teks.',
  },
  field_too_long: {
    en: 'The text is longer than a pop-up can show.',
    id: 'Teks lebih panjang dari yang dapat ditampilkan pop-up.',
  },
  field_forbidden_character: {
    en: 'A text that was cut in the middle of an emoji, or data from a binary field.',
    id: 'Teks terpotong di tengah emoji, atau data dari kolom biner.',
  },
  user_id_empty: {
    en: 'An n8n expression, a cell or a variable that is empty. It is refused because nothing but a missing user_id or 0 may mean everyone.',
    id: 'Ekspresi n8n, sel, atau variabel yang kosong. Ditolak karena hanya user_id yang tidak ada atau 0 yang boleh berarti semua orang.',
  },
  user_id_not_integer: {
    en: 'A name, a staff number with leading zeros, or a number with a fraction.',
    id: 'Nama, nomor induk dengan nol di depan, atau angka pecahan.',
  },
  user_id_misspelt: {
    en: 'A program that names its fields in another style, such as userId or User-ID. It is refused because a send without user_id goes to everyone.',
    id: 'Program yang menulis nama kolom dengan gaya lain, misalnya userId atau User-ID. Ditolak karena kiriman tanpa user_id sampai ke semua orang.',
  },
  url_not_internal: {
    en: 'An address copied from the browser. Links lead to pages of the portal only.',
    id: 'Alamat disalin dari browser. Tautan hanya dapat menuju halaman portal.',
  },
  idempotency_key_malformed: {
    en: 'A text with blanks or letters outside ASCII, or an empty variable.',
    id: 'Teks dengan spasi atau huruf di luar ASCII, atau variabel kosong.',
  },
  idempotency_key_reused: {
    en: 'The header holds something fixed, such as the job’s name, while the notification changes.',
    id: 'Header berisi sesuatu yang tetap, misalnya nama pekerjaan, padahal notifikasinya berubah.',
  },
  request_malformed: {
    en: 'A program that writes HTTP by hand, or very large cookies and headers.',
    id: 'Program yang menulis HTTP sendiri, atau cookie dan header yang sangat besar.',
  },
  employee_not_in_company: {
    en: 'A number of another company or deployment, or a staff number instead of user_id.',
    id: 'Nomor dari perusahaan atau pemasangan lain, atau nomor induk, bukan user_id.',
  },
  address_unknown: {
    en: 'A slash too many, another spelling, or a forgotten .php.',
    id: 'Garis miring berlebih, ejaan lain, atau .php yang terlupa.',
  },
  internal_error: {
    en: 'A defect of the service. Its log names the place, by the X-Request-Id.',
    id: 'Cacat pada layanan. Log-nya menyebut tempatnya, menurut X-Request-Id.',
  },
  unavailable: database,
  unavailable_uncertain: database,
};
