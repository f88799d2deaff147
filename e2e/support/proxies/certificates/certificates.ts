import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';

const file = (name: string) => join(import.meta.dirname, `${name}.pem`);

/** A certificate for `localhost` and `notif.example.com`, valid for 100 years, with its key and authority. */
export const certificateFiles = { authority: file('authority'), certificate: file('certificate'), key: file('key') };

/** Settings for TLS of PostgreSQL, which refuses a key that others may read: this copies it. */
export async function listTlsSettings(folder: string): Promise<string[]> {
  const key = join(folder, 'key.pem');
  await copyFile(certificateFiles.key, key);
  await chmod(key, 0o600);
  return ['ssl=on', `ssl_cert_file=${certificateFiles.certificate}`, `ssl_key_file=${key}`];
}
