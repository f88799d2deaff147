import { describeReceivedKind, isReceivedKind } from '#server/api/received-kind.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** The languages of the service: Indonesian and English. */
export type Language = 'id' | 'en';

/** The statuses of failures. */
export type FailureStatus = keyof typeof sentences;

const sentences = {
  400: {
    aksi_missing: {
      en: 'The query parameter "aksi" is missing or empty[; the parameters that came are {names}]. Use ?aksi=ping or ?aksi=karyawan; to send a notification, use POST.',
      id: 'Parameter "aksi" tidak ada atau kosong[; parameter yang datang: {names}]. Pakai ?aksi=ping atau ?aksi=karyawan; untuk mengirim notifikasi, pakai POST.',
    },
    aksi_repeated: {
      en: 'The query parameter "aksi" must be given once; it came {count} times.',
      id: 'Parameter "aksi" harus diberikan satu kali; ditemukan {count} kali.',
    },
    aksi_unknown: {
      en: 'The query parameter "aksi" must be exactly "ping" or "karyawan" (lower case); {came} came. To send a notification, use POST.',
      id: 'Parameter "aksi" harus persis "ping" atau "karyawan" (huruf kecil); yang datang {came}. Untuk mengirim notifikasi, pakai POST.',
    },
    body_too_large: {
      en: `The body may have at most 65,536 bytes (64 KiB)[; it has {length}]. A title of ${draftLimits.title} and a text of ${draftLimits.body} characters need far less: leave the other fields out.`,
      id: `Isi permintaan maksimal 65.536 byte (64 KiB)[; yang datang {length}]. Judul ${draftLimits.title} dan isi ${draftLimits.body} karakter jauh lebih kecil: hapus kolom lainnya.`,
    },
    body_incomplete: {
      en: 'The body did not arrive whole within 10 seconds. Check the Content-Length your program sends and its connection, then send again.',
      id: 'Isi permintaan tidak tiba seluruhnya dalam 10 detik. Periksa Content-Length yang dikirim program Anda dan koneksinya, lalu kirim lagi.',
    },
    body_empty: {
      en: 'The body is empty. Send one JSON object: {"judul": "…", "isi": "…"}. A redirect, or a tool that switched to GET, may have dropped it.',
      id: 'Isi permintaan kosong. Kirim satu objek JSON: {"judul": "…", "isi": "…"}. Mungkin hilang karena pengalihan (redirect) atau karena alat Anda beralih ke GET.',
    },
    body_not_utf8: {
      en: 'The body is not valid UTF-8 near byte {position}. Encode the text as UTF-8; in Windows PowerShell 5.1 send [Text.Encoding]::UTF8.GetBytes($json).',
      id: 'Isi permintaan bukan UTF-8 yang sah di sekitar byte {position}. Kodekan teks sebagai UTF-8; di Windows PowerShell 5.1 kirim [Text.Encoding]::UTF8.GetBytes($json).',
    },
    body_utf16: {
      en: 'The body is UTF-16, which is how Windows PowerShell writes a file. Send UTF-8: write the file with -Encoding utf8, or send [Text.Encoding]::UTF8.GetBytes($json).',
      id: 'Isi permintaan memakai UTF-16, seperti berkas yang ditulis Windows PowerShell. Kirim UTF-8: tulis berkas dengan -Encoding utf8, atau kirim [Text.Encoding]::UTF8.GetBytes($json).',
    },
    content_type_missing: {
      en: 'The Content-Type header is missing: send "application/json", "application/x-www-form-urlencoded" or "multipart/form-data".',
      id: 'Header Content-Type tidak ada: kirim "application/json", "application/x-www-form-urlencoded", atau "multipart/form-data".',
    },
    content_type_unsupported: {
      en: 'The Content-Type must be "application/json", "application/x-www-form-urlencoded" or "multipart/form-data", and come once; {came} came.',
      id: 'Content-Type harus "application/json", "application/x-www-form-urlencoded", atau "multipart/form-data", dan hanya satu; yang datang {came}.',
    },
    charset_unsupported: {
      en: 'The charset in Content-Type must be utf-8; {came} came. Encode the text as UTF-8 and leave the charset out.',
      id: 'charset pada Content-Type harus utf-8; yang datang {came}. Kodekan teks sebagai UTF-8 dan hapus charset-nya.',
    },
    content_encoding_unsupported: {
      en: 'Compressed bodies are not accepted, and Content-Encoding is {came}: leave that header out and send the text as it is.',
      id: 'Isi permintaan yang dikompresi tidak diterima, dan Content-Encoding berisi {came}: hapus header itu dan kirim teks apa adanya.',
    },
    json_malformed: {
      en: 'The body is not valid JSON: {came} (line {line}, column {column}). Let your program write the JSON instead of joining texts.',
      id: 'Isi permintaan bukan JSON yang sah: {came} (baris {line}, kolom {column}). Biarkan program Anda yang menulis JSON, jangan menyambung teks sendiri.',
    },
    json_not_object: {
      en: 'The body must be one JSON object, {"judul": "…", "isi": "…"}, and it is {came}. For several notifications send several requests.',
      id: 'Isi permintaan harus satu objek JSON, {"judul": "…", "isi": "…"}, dan yang datang {came}. Untuk beberapa notifikasi, kirim beberapa permintaan.',
    },
    json_labelled_as_form: {
      en: 'The body looks like JSON but is labelled as a form. Add the header "Content-Type: application/json".',
      id: 'Isi permintaan tampak seperti JSON tetapi diberi label formulir. Tambahkan header "Content-Type: application/json".',
    },
    form_labelled_as_json: {
      en: 'The body looks like form data but is labelled as JSON. Send the header "Content-Type: application/x-www-form-urlencoded".',
      id: 'Isi permintaan tampak seperti data formulir tetapi diberi label JSON. Kirim header "Content-Type: application/x-www-form-urlencoded".',
    },
    form_malformed: {
      en: 'The form data is malformed: {came}.',
      id: 'Data formulir rusak: {came}.',
    },
    file_not_accepted: {
      en: 'The form has a file[ in the field {came}]; only text fields are accepted. Send the text itself.',
      id: 'Formulir berisi berkas[ di kolom {came}]; hanya kolom teks yang diterima. Kirim teksnya saja.',
    },
    field_repeated: {
      en: 'The field "{field}" was sent {count} times; send it once.',
      id: 'Kolom "{field}" dikirim {count} kali; kirim satu kali.',
    },
    field_missing: {
      en: 'The field "{field}" is required[; the fields that came are {names}]. Names are in lower case and as written here.[ This looks like a webhook of {webhook}, whose body is fixed: /docs/recipes/webhooks shows what to put between.]',
      id: 'Kolom "{field}" wajib diisi[; kolom yang datang: {names}]. Nama kolom memakai huruf kecil, persis seperti tertulis di sini.[ Ini tampak seperti webhook {webhook}, yang isinya tetap: perantaranya ada di /docs/recipes/webhooks.]',
    },
    field_blank: {
      en: 'The field "{field}" needs at least one visible character, and it is {came}[ ({length} characters)]. An expression that finds nothing leaves it empty.',
      id: 'Kolom "{field}" perlu paling sedikit satu karakter yang terlihat, dan yang datang {came}[ ({length} karakter)]. Ekspresi yang tidak menemukan apa-apa membuatnya kosong.',
    },
    field_not_text: {
      en: 'The field "{field}" must be a text (a JSON string in quotes), and it is {came}.',
      id: 'Kolom "{field}" harus berupa teks (string JSON dalam tanda kutip), dan yang datang {came}.',
    },
    field_too_long: {
      en: 'The field "{field}" may have at most {limit} characters; it has {length}. Shorten it: nothing is cut off for you.',
      id: 'Kolom "{field}" maksimal {limit} karakter; yang dikirim {length}. Persingkat: tidak ada yang dipotong otomatis.',
    },
    field_forbidden_character: {
      en: 'The field "{field}" contains {came}, which cannot be stored. Take it out.',
      id: 'Kolom "{field}" berisi {came}, yang tidak dapat disimpan. Hapus karakter itu.',
    },
    user_id_empty: {
      en: 'The field "user_id" is {came}: the expression or variable behind it found nothing. Fill it with a number such as 7; leave the field out only when every active employee is meant.',
      id: 'Kolom "user_id" berisi {came}: ekspresi atau variabel di baliknya tidak menemukan apa-apa. Isi dengan angka seperti 7; hapus kolom ini hanya jika maksudnya semua karyawan aktif.',
    },
    user_id_not_integer: {
      en: 'The field "user_id" must be a whole number such as 7 (or "7"), and it is {came}[: {value}]. GET ?aksi=karyawan lists the numbers; leave it out, or send 0, to reach every active employee.',
      id: 'Kolom "user_id" harus bilangan bulat seperti 7 (atau "7"), dan yang datang {came}[: {value}]. GET ?aksi=karyawan menampilkan nomornya; hapus kolom ini, atau kirim 0, untuk semua karyawan aktif.',
    },
    user_id_misspelt: {
      en: 'The field {came} names a recipient and must be written "user_id", exactly so. Nothing was sent: without "user_id" it would have gone to every active employee.',
      id: 'Kolom {came} menyebut penerima dan harus ditulis persis "user_id". Tidak ada yang terkirim: tanpa "user_id" notifikasi akan sampai ke semua karyawan aktif.',
    },
    url_not_internal: {
      en: 'The field "url" must be a path inside the portal that begins with a single "/", such as /portal/notifications, and it is {came}. Leave it out when there is no link.',
      id: 'Kolom "url" harus path di dalam portal yang diawali satu "/", misalnya /portal/notifications, dan yang datang {came}. Hapus kolom ini jika tidak ada tautan.',
    },
    idempotency_key_malformed: {
      en: 'The Idempotency-Key header must be 1 to 255 visible ASCII characters and be sent once; it has {length} characters[, and the one at position {position} is not visible ASCII]. An id such as gaji-2026-11-7 will do.',
      id: 'Header Idempotency-Key harus 1 sampai 255 karakter ASCII yang terlihat dan dikirim satu kali; yang datang {length} karakter[, dan karakter ke-{position} bukan ASCII yang terlihat]. Id seperti gaji-2026-11-7 sudah cukup.',
    },
    idempotency_key_reused: {
      en: 'This Idempotency-Key was already used for another notification in the last 24 hours. Use a new one for a new notification.',
      id: 'Idempotency-Key ini sudah dipakai untuk notifikasi lain dalam 24 jam terakhir. Pakai yang baru untuk notifikasi baru.',
    },
    request_malformed: {
      en: 'The request is not well-formed HTTP, or its headers are larger than 16 KiB.',
      id: 'Permintaan bukan HTTP yang sah, atau header-nya lebih besar dari 16 KiB.',
    },
  },
  401: {
    key_missing: {
      en: 'No API key was sent. Send it as "Authorization: Bearer <key>" or as "X-API-Key: <key>"; if you did send Authorization, your host may remove it: use X-API-Key.[ Webhooks of {webhook} cannot carry a key: /docs/recipes/webhooks shows what to put between.]',
      id: 'Tidak ada kunci API. Kirim sebagai "Authorization: Bearer <kunci>" atau "X-API-Key: <kunci>"; jika Authorization sudah dikirim, mungkin hosting Anda menghapusnya: pakai X-API-Key.[ Webhook {webhook} tidak dapat membawa kunci: perantaranya ada di /docs/recipes/webhooks.]',
    },
    key_without_bearer: {
      en: 'The Authorization header must be "Bearer <key>"; the word Bearer is missing. Or send the key alone in X-API-Key.',
      id: 'Header Authorization harus berisi "Bearer <kunci>"; kata Bearer tidak ada. Atau kirim kuncinya saja di X-API-Key.',
    },
    key_wrapped: {
      en: 'An API key came, but not as the header wants it: {came}. Send "Authorization: Bearer <key>" or "X-API-Key: <key>".',
      id: 'Kunci API datang, tetapi bentuk header-nya salah: {came}. Kirim "Authorization: Bearer <kunci>" atau "X-API-Key: <kunci>".',
    },
    key_in_query: {
      en: 'The API key came in the address, where logs keep it. Send it in a header, "X-API-Key: <key>", and ask the owner to replace this key.',
      id: 'Kunci API datang di alamat (URL), tempat log menyimpannya. Kirim di header, "X-API-Key: <kunci>", dan minta pemilik mengganti kunci ini.',
    },
    key_malformed: {
      en: 'The API key is incomplete or mistyped: it is "jss_" and 64 letters and digits, 68 characters in all, and {length} came. Copy it again.',
      id: 'Kunci API tidak lengkap atau salah ketik: bentuknya "jss_" diikuti 64 huruf dan angka, seluruhnya 68 karakter, dan yang datang {length}. Salin ulang.',
    },
    key_rejected: {
      en: 'The API key is not valid: it is wrong or was revoked. The owner of the company can create a new one.',
      id: 'Kunci API tidak berlaku: salah atau sudah dicabut. Pemilik perusahaan dapat membuat yang baru.',
    },
    key_in_both_headers: {
      en: 'The API key must be in exactly one header: Authorization or X-API-Key, not both.',
      id: 'Kunci API harus ada di tepat satu header: Authorization atau X-API-Key, jangan keduanya.',
    },
  },
  404: {
    employee_not_in_company: {
      en: 'No employee of your company has this user_id. GET ?aksi=karyawan lists them.',
      id: 'Tidak ada karyawan perusahaan Anda dengan user_id ini. GET ?aksi=karyawan menampilkan daftarnya.',
    },
    address_unknown: {
      en: 'There is nothing at this address. The interface is at /api/v1/notif.php.',
      id: 'Tidak ada apa pun di alamat ini. Antarmukanya ada di /api/v1/notif.php.',
    },
  },
  405: {
    method_not_allowed: {
      en: 'This address answers GET, HEAD and POST only; {came} came. To send a notification, use POST.',
      id: 'Alamat ini hanya menjawab GET, HEAD, dan POST; yang datang {came}. Untuk mengirim notifikasi, pakai POST.',
    },
  },
  429: {
    rate_limited: {
      en: 'This key has made more than 60 requests in a minute. Wait 60 seconds and try again.',
      id: 'Kunci ini sudah mengirim lebih dari 60 permintaan dalam satu menit. Tunggu 60 detik lalu coba lagi.',
    },
  },
  500: {
    internal_error: {
      en: 'The service failed because of a mistake of its own. {came} Sending the request again does not help: tell the operator the X-Request-Id of this answer.',
      id: 'Layanan gagal karena kesalahannya sendiri. {came} Mengirim ulang permintaan tidak menolong: beri tahu pengelola layanan X-Request-Id dari jawaban ini.',
    },
  },
  503: {
    unavailable: {
      en: 'The service cannot reach its database right now. Nothing was sent. Try again in a few seconds.',
      id: 'Layanan sedang tidak dapat menjangkau basis datanya. Tidak ada yang terkirim. Coba lagi beberapa detik lagi.',
    },
    unavailable_uncertain: {
      en: 'The connection to the database was lost during the send, so it is not certain whether it was sent. Repeat it with the same Idempotency-Key: then it is sent once at most. Without one, look under Sends first.',
      id: 'Koneksi ke basis data terputus saat mengirim, jadi belum pasti apakah sudah terkirim. Ulangi dengan Idempotency-Key yang sama: maka terkirim paling banyak satu kali. Tanpa itu, lihat Kiriman dahulu.',
    },
  },
} as const satisfies Record<number, Record<string, Record<Language, string>>>;

/** The stable code of a failure. It never changes; its sentence may. */
export type FailureCode = { [Status in FailureStatus]: keyof (typeof sentences)[Status] }[FailureStatus];

const checkOrder = [401, 429, 405, 400, 404, 500, 503] satisfies FailureStatus[];

/** Every failure, in the order in which the service checks. */
export const failures = Object.fromEntries(
  checkOrder.flatMap((status) =>
    Object.entries(sentences[status]).map(([code, sentence]) => [code, { status, ...sentence }]),
  ),
) as Record<FailureCode, Record<Language, string> & { status: FailureStatus }>;

/**
 * A failure of one request. `field` is the field at fault. `parameters` are the values that the
 * sentence mentions: numbers, short excerpts, or a `ReceivedKind` (mostly as `came`).
 */
export type Failure = { code: FailureCode; field?: string; parameters?: FailureParameters };

/** The values that the sentence of a failure mentions, by their names in the sentence. */
export type FailureParameters = Record<string, number | string | undefined>;

/** Whether a result is a failure. The fields of a request and all answers have no `code`. */
export const isFailure = (result: unknown): result is Failure =>
  typeof result === 'object' && result !== null && 'code' in result;

/**
 * The sentence of a failure in one language. A name in braces is replaced by its value. A part in
 * brackets is left out when its value is not known.
 */
export function failureSentence({ code, field, parameters }: Failure, language: Language): string {
  const values: Record<string, unknown> = { ...parameters, field };
  const known = failures[code][language].replace(/\[([^\]]*\{(\w+)\}[^\]]*)\]/g, (_, part: string, name: string) =>
    values[name] === undefined ? '' : part,
  );
  return known.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return isReceivedKind(value) ? describeReceivedKind(value, language) : String(value ?? '…');
  });
}

/** Whether a stored text is the code of a failure that exists today. */
export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(failures, code);

/** The JSON body of a failure, with its sentence in the caller's language (contract §2). */
export function failureBody(failure: Failure, language: Language): string {
  const { code, field } = failure;
  // JSON leaves out a field that is undefined.
  return JSON.stringify({ ok: false, error: failureSentence(failure, language), code, field });
}
