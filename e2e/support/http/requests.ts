export const path = '/api/v1/notif.php';
export const ping = `${path}?aksi=ping`;

/** Placeholders for a valid key and for another key of the company. As long as a key. */
export const KEY = 'K'.repeat(68);
export const OTHER = 'O'.repeat(68);

export const utf8 = (text: string) => Buffer.from(text).toString('latin1');

export const request = (first: string, headers: string[] = []) =>
  `${first} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`;

export const get = (headers: string[], target = ping) => request(`GET ${target}`, headers);

/** The header with the key, that of a JSON body, and such a body. */
export const withKey = `X-API-Key: ${KEY}`;
export const json = 'Content-Type: application/json';
export const good = '{"judul":"Judul","isi":"Isi"}';

/** A POST of this body (one character a byte) with a key; `headers` begin with the Content-Type. */
export const post = (body: string, headers: string[] = [json], authorization = withKey) =>
  request(`POST ${path}`, [authorization, ...headers, `Content-Length: ${body.length}`].filter(Boolean)) + body;

export const form = (body: string) => post(body, ['Content-Type: application/x-www-form-urlencoded']);

/** A POST of multipart form data with boundary `b`. */
export const multipart = (body: string, parameter = '; boundary=b') =>
  post(body, [`Content-Type: multipart/form-data${parameter}`]);

export const part = (name: string, value: string, head = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${head}\r\n${value}\r\n`;
