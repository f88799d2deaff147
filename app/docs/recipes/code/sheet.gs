// Sends each row that has a title and a text but no Status, and writes the result into Status.
const SHEET = 'Notifikasi';
const FIELDS = ['judul', 'isi', 'user_id', 'jenis', 'url'];

function sendNewRows() {
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = spreadsheet.getSheetByName(SHEET);
  const rows = sheet.getDataRange().getDisplayValues();
  const columns = rows[0].map((name) => name.trim().toLowerCase());
  const place = (name) => columns.indexOf(name);
  for (const name of ['judul', 'isi', 'status'])
    if (place(name) < 0) throw new Error(`The first row of ${SHEET} has no column ${name}.`);

  for (let at = 1; at < rows.length; at++) {
    const row = rows[at];
    if (row[place('status')] !== '' || row[place('judul')] === '' || row[place('isi')] === '') continue;
    const fields = {};
    for (const name of FIELDS) if (place(name) >= 0) fields[name] = row[place(name)];
    if (fields.url === '') delete fields.url;
    const outcome = send(fields, `sheet-${spreadsheet.getId()}-${at + 1}`);
    if (outcome === null) return;
    sheet.getRange(at + 1, place('status') + 1).setValue(outcome);
    SpreadsheetApp.flush();
    Utilities.sleep(1100);
  }
}

// The text for the row's Status; null if this row and those after it must wait for the next run.
function send(fields, name) {
  const payload = JSON.stringify(fields);
  const digest = Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, payload, Utilities.Charset.UTF_8);
  const response = UrlFetchApp.fetch('{{base}}/api/v1/notif.php', {
    method: 'post',
    contentType: 'application/json',
    headers: {
      'X-API-Key': PropertiesService.getScriptProperties().getProperty('NOTIF_KEY'),
      'Accept-Language': 'id',
      'Idempotency-Key': `${name}-${Utilities.base64EncodeWebSafe(digest)}`,
    },
    payload: payload,
    muteHttpExceptions: true,
  });
  const status = response.getResponseCode();
  const text = response.getContentText();
  if (status === 429 || status >= 500) {
    console.warn(`${status}: ${text}`);
    return null;
  }
  const answer = JSON.parse(text);
  if (status === 200) return `Terkirim ke ${answer.terkirim} karyawan`;
  if (status === 400 || status === 404) return `Ditolak: ${answer.error}`;
  throw new Error(answer.error);
}
