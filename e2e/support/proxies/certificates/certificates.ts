import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files of a certificate for `localhost` and `notif.example.com`, its key, and the authority that signed it. They
 * are of no use but for tests, and valid for 100 years, so no test needs a program that makes certificates.
 */
export const certificateFiles = {
  authority: join(import.meta.dirname, 'authority.pem'),
  certificate: join(import.meta.dirname, 'certificate.pem'),
  key: join(import.meta.dirname, 'key.pem'),
};

/**
 * The settings that make PostgreSQL speak TLS with this certificate. Copies the key into the folder, because PostgreSQL
 * refuses a key that others may read.
 */
export async function listTlsSettings(folder: string): Promise<string[]> {
  const key = join(folder, 'key.pem');
  await copyFile(certificateFiles.key, key);
  await chmod(key, 0o600);
  return ['ssl=on', `ssl_cert_file=${certificateFiles.certificate}`, `ssl_key_file=${key}`];
}
