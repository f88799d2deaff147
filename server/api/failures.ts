/** The two languages of the service. */
export type Language = 'id' | 'en';

type Row = { status: 400 | 401 | 404 | 405 | 429 | 503; en: string; id: string };

const rows = {
  key_missing: {
    status: 401,
    en: 'No API key was sent. Send it as "Authorization: Bearer <key>" or as "X-API-Key: <key>"; if you did send Authorization, your host may remove it: use X-API-Key.',
    id: 'Tidak ada kunci API. Kirim sebagai "Authorization: Bearer <kunci>" atau "X-API-Key: <kunci>"; jika Authorization sudah dikirim, mungkin hosting Anda menghapusnya: pakai X-API-Key.',
  },
  key_without_bearer: {
    status: 401,
    en: 'The Authorization header must be "Bearer <key>"; the word Bearer is missing. Or send the key alone in X-API-Key.',
    id: 'Header Authorization harus berisi "Bearer <kunci>"; kata Bearer tidak ada. Atau kirim kuncinya saja di X-API-Key.',
  },
  key_malformed: {
    status: 401,
    en: 'The API key is incomplete or mistyped: it is "jss_" and 64 letters and digits. Copy it again.',
    id: 'Kunci API tidak lengkap atau salah ketik: bentuknya "jss_" diikuti 64 huruf dan angka. Salin ulang.',
  },
  key_rejected: {
    status: 401,
    en: 'The API key is not valid: it is wrong or was revoked. The owner of the company can create a new one.',
    id: 'Kunci API tidak berlaku: salah atau sudah dicabut. Pemilik perusahaan dapat membuat yang baru.',
  },
  key_in_both_headers: {
    status: 401,
    en: 'The API key must be in exactly one header: Authorization or X-API-Key, not both.',
    id: 'Kunci API harus ada di tepat satu header: Authorization atau X-API-Key, jangan keduanya.',
  },
  rate_limited: {
    status: 429,
    en: 'This key has made more than 60 requests in a minute. Wait 60 seconds and try again.',
    id: 'Kunci ini sudah mengirim lebih dari 60 permintaan dalam satu menit. Tunggu 60 detik lalu coba lagi.',
  },
  method_not_allowed: {
    status: 405,
    en: 'This address answers GET, HEAD and POST only.',
    id: 'Alamat ini hanya menjawab GET, HEAD, dan POST.',
  },
  aksi_missing: {
    status: 400,
    en: 'The query parameter "aksi" is missing: use ?aksi=ping or ?aksi=karyawan. To send a notification, use POST.',
    id: 'Parameter "aksi" tidak ada: pakai ?aksi=ping atau ?aksi=karyawan. Untuk mengirim notifikasi, pakai POST.',
  },
  aksi_repeated: {
    status: 400,
    en: 'The query parameter "aksi" must be given once; it came {count} times.',
    id: 'Parameter "aksi" harus diberikan satu kali; ditemukan {count} kali.',
  },
  aksi_unknown: {
    status: 400,
    en: 'The query parameter "aksi" must be exactly "ping" or "karyawan" (lower case). To send a notification, use POST.',
    id: 'Parameter "aksi" harus persis "ping" atau "karyawan" (huruf kecil). Untuk mengirim notifikasi, pakai POST.',
  },
  body_too_large: {
    status: 400,
    en: 'The body is larger than 64 KiB.',
    id: 'Isi permintaan lebih besar dari 64 KiB.',
  },
  body_incomplete: {
    status: 400,
    en: 'The body did not arrive whole within 10 seconds.',
    id: 'Isi permintaan tidak tiba seluruhnya dalam 10 detik.',
  },
  body_not_utf8: {
    status: 400,
    en: 'The body is not valid UTF-8. Save or encode the text as UTF-8.',
    id: 'Isi permintaan bukan UTF-8 yang sah. Simpan atau kodekan teks sebagai UTF-8.',
  },
  content_type_missing: {
    status: 400,
    en: 'The Content-Type header is missing: send "application/json", "application/x-www-form-urlencoded" or "multipart/form-data".',
    id: 'Header Content-Type tidak ada: kirim "application/json", "application/x-www-form-urlencoded", atau "multipart/form-data".',
  },
  content_type_unsupported: {
    status: 400,
    en: 'The Content-Type must be "application/json", "application/x-www-form-urlencoded" or "multipart/form-data", and it must come once.',
    id: 'Content-Type harus "application/json", "application/x-www-form-urlencoded", atau "multipart/form-data", dan hanya satu.',
  },
  charset_unsupported: {
    status: 400,
    en: 'The charset in Content-Type must be utf-8.',
    id: 'charset pada Content-Type harus utf-8.',
  },
  content_encoding_unsupported: {
    status: 400,
    en: 'Compressed bodies are not accepted: leave the Content-Encoding header out.',
    id: 'Isi permintaan yang dikompresi tidak diterima: hapus header Content-Encoding.',
  },
  json_malformed: {
    status: 400,
    en: 'The body is not valid JSON.',
    id: 'Isi permintaan bukan JSON yang sah.',
  },
  json_not_object: {
    status: 400,
    en: 'The body must be one JSON object: {"judul": "…", "isi": "…"}.',
    id: 'Isi permintaan harus satu objek JSON: {"judul": "…", "isi": "…"}.',
  },
  json_labelled_as_form: {
    status: 400,
    en: 'The body looks like JSON but is labelled as a form. Add the header "Content-Type: application/json".',
    id: 'Isi permintaan tampak seperti JSON tetapi diberi label formulir. Tambahkan header "Content-Type: application/json".',
  },
  form_labelled_as_json: {
    status: 400,
    en: 'The body looks like form data but is labelled as JSON. Send the header "Content-Type: application/x-www-form-urlencoded".',
    id: 'Isi permintaan tampak seperti data formulir tetapi diberi label JSON. Kirim header "Content-Type: application/x-www-form-urlencoded".',
  },
  form_malformed: {
    status: 400,
    en: 'The form data is malformed. A percent sign must be written as %25, and every part of a multipart form must be complete.',
    id: 'Data formulir rusak. Tanda persen harus ditulis %25, dan setiap bagian formulir multipart harus lengkap.',
  },
  file_not_accepted: {
    status: 400,
    en: 'The form has a file part; only text fields are accepted.',
    id: 'Formulir berisi berkas; hanya kolom teks yang diterima.',
  },
  field_repeated: {
    status: 400,
    en: 'The field "{field}" was sent twice; send it once.',
    id: 'Kolom "{field}" dikirim dua kali; kirim satu kali.',
  },
  field_missing: {
    status: 400,
    en: 'The field "{field}" is required.',
    id: 'Kolom "{field}" wajib diisi.',
  },
  field_blank: {
    status: 400,
    en: 'The field "{field}" has no visible character.',
    id: 'Kolom "{field}" tidak berisi karakter yang terlihat.',
  },
  field_not_text: {
    status: 400,
    en: 'The field "{field}" must be a text (a JSON string).',
    id: 'Kolom "{field}" harus berupa teks (string JSON).',
  },
  field_too_long: {
    status: 400,
    en: 'The field "{field}" may have at most {limit} characters; it has {length}.',
    id: 'Kolom "{field}" maksimal {limit} karakter; yang dikirim {length}.',
  },
  field_forbidden_character: {
    status: 400,
    en: 'The field "{field}" contains a NUL or half a surrogate pair, which cannot be stored.',
    id: 'Kolom "{field}" berisi NUL atau separuh pasangan surrogate, yang tidak dapat disimpan.',
  },
  user_id_not_integer: {
    status: 400,
    en: 'The field "user_id" must be a whole number such as 7 (or "7"). Leave it out, or send 0, to reach every active employee.',
    id: 'Kolom "user_id" harus bilangan bulat seperti 7 (atau "7"). Kosongkan dari permintaan, atau kirim 0, untuk semua karyawan aktif.',
  },
  url_not_internal: {
    status: 400,
    en: 'The field "url" must be an internal path that begins with a single "/", such as /portal/notifications; addresses of other sites, "//", backslashes and control characters are refused.',
    id: 'Kolom "url" harus path internal yang diawali satu "/", misalnya /portal/notifications; alamat situs lain, "//", garis miring terbalik, dan karakter kontrol ditolak.',
  },
  idempotency_key_malformed: {
    status: 400,
    en: 'The Idempotency-Key header must be 1 to 255 visible ASCII characters and be sent once.',
    id: 'Header Idempotency-Key harus 1 sampai 255 karakter ASCII yang terlihat dan dikirim satu kali.',
  },
  idempotency_key_reused: {
    status: 400,
    en: 'This Idempotency-Key was already used for another notification in the last 24 hours. Use a new one for a new notification.',
    id: 'Idempotency-Key ini sudah dipakai untuk notifikasi lain dalam 24 jam terakhir. Pakai yang baru untuk notifikasi baru.',
  },
  request_malformed: {
    status: 400,
    en: 'The request is not well-formed HTTP, or its headers are larger than 16 KiB.',
    id: 'Permintaan bukan HTTP yang sah, atau header-nya lebih besar dari 16 KiB.',
  },
  employee_not_in_company: {
    status: 404,
    en: 'No employee of your company has this user_id. GET ?aksi=karyawan lists them.',
    id: 'Tidak ada karyawan perusahaan Anda dengan user_id ini. GET ?aksi=karyawan menampilkan daftarnya.',
  },
  address_unknown: {
    status: 404,
    en: 'There is nothing at this address. The interface is at /api/v1/notif.php.',
    id: 'Tidak ada apa pun di alamat ini. Antarmukanya ada di /api/v1/notif.php.',
  },
  unavailable: {
    status: 503,
    en: 'The service cannot reach its database right now. Nothing was sent. Try again in a few seconds.',
    id: 'Layanan sedang tidak dapat menjangkau basis datanya. Tidak ada yang terkirim. Coba lagi beberapa detik lagi.',
  },
  unavailable_uncertain: {
    status: 503,
    en: 'The connection to the database was lost during the send, so it is not certain whether it was sent. Repeat it with the same Idempotency-Key: then it is sent once at most.',
    id: 'Koneksi ke basis data terputus saat mengirim, jadi belum pasti apakah sudah terkirim. Ulangi dengan Idempotency-Key yang sama: maka terkirim paling banyak satu kali.',
  },
} as const satisfies Record<string, Row>;

/** The stable code of a failure; it never changes, unlike its sentence. */
export type FailureCode = keyof typeof rows;

/** Every failure of the public interface: code, status and the sentence for the caller in both languages. */
export const failures: Record<FailureCode, Row> = rows;

/** One failure that happened: what, which field is at fault, and the figures its sentence mentions. */
export type Failure = { code: FailureCode; field?: string; figures?: Record<string, number> };

/** An expected outcome of a procedure that is not a success, on its way through tRPC to the handler. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** The sentence of a failure, with its field and figures in it: what is wrong and what to do. */
export function failureSentence({ code, field, figures }: Failure, language: Language): string {
  return failures[code][language].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(name === 'field' ? field : (figures?.[name] ?? '')),
  );
}

/** Whether a stored text is the code of a failure that is still known. */
export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(failures, code);

/** The JSON body of a failure, with the sentence in the caller's language (contract §2). */
export function failureBody(failure: Failure, language: Language): string {
  const { code, field } = failure;
  const error = failureSentence(failure, language);
  return JSON.stringify({ ok: false, error, code, ...(field === undefined ? {} : { field }) });
}
