/**
 * The description at the beginning of the document. `{base}` stands for the address that serves it.
 */
export const guide = [
  'Send notifications to the employees of one company. They hear a sound and see a pop-up within 20 seconds wherever their portal is open, or find it at their next sign-in.',
  '**Key.** The owner of the company makes it; it is `jss_` and 64 letters and digits. Send it as `Authorization: Bearer <key>` or as `X-API-Key: <key>`: in exactly one of the two headers, never in the address. The key decides the company. It can do three things: check that it works, list the employees (id, name, role), and send.',
  '**Limit.** 60 requests a minute for each key, all operations together. `X-RateLimit-Remaining` says how many are left; what comes after the last is 429 with `Retry-After: 60` and sends nothing.',
  '**Errors.** Every answer that is not 200 has `"ok": false`, a sentence to act on (`error`), a stable `code`, and `field` where one field is at fault. Programs look at the status and the `code`, never at the sentence, and treat a code they do not know by its status. Of several faults the first is named: the body as a whole, then `judul`, `isi`, `user_id`, `jenis`, `url`. Each code has its cause and cure at {base}/docs/errors.',
  '**Retry.** 429 and 503 may be repeated after the seconds in `Retry-After`, and so may a request whose connection broke. Give all attempts of one send the same `Idempotency-Key`: then it is sent once at most. 400, 401, 404 and 405 stay the same until the request or the key is another.',
  'Quick start, recipes for many tools and answers to common questions: {base}/docs.',
].join('\n\n');
