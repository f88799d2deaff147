import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A certificate for `localhost` and `notif.example.com`, valid for 100 years, with its key and authority. */
export const certificateFiles = {
  authority: join(import.meta.dirname, 'authority.pem'),
  certificate: join(import.meta.dirname, 'certificate.pem'),
  key: join(import.meta.dirname, 'key.pem'),
};

/** Settings for TLS of PostgreSQL, which refuses a key that others may read: this copies it. */
export async function listTlsSettings(folder: string): Promise<string[]> {
  const key = join(folder, 'key.pem');
  await copyFile(certificateFiles.key, key);
  await chmod(key, 0o600);
  return ['ssl=on', `ssl_cert_file=${certificateFiles.certificate}`, `ssl_key_file=${key}`];
}
