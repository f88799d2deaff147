import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** The encodings in which texts are kept, the smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const;

/** The name of an encoding in `Content-Encoding`; `identity` is not sent. */
export type Encoding = (typeof encodings)[number];

export type EncodedText = Partial<Record<Encoding, Buffer>>;

/** Compresses a text. Brotli's highest quality, 11, takes seconds for a large one. */
export async function encodeText(text: Buffer, quality = 6) {
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text, brotliOptions), promisify(gzip)(text)]);
  return { br, gzip: gz, identity: text } satisfies EncodedText;
}

/** Chooses the smallest body that `Accept-Encoding` allows, else the plain one (RFC 9110 §12.5.3), with its headers. */
export function chooseEncoding(text: EncodedText, accept: string | undefined) {
  const headers = accept === undefined ? {} : { 'accept-encoding': accept };
  const accepted = new Negotiator({ headers }).encodings(Object.keys(text));
  const encoding = encodings.find((name) => accepted.includes(name)) ?? 'identity';
  const body = text[encoding] ?? Buffer.alloc(0);
  const coding: Record<string, string> = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  return { body, headers: { 'Content-Length': String(body.length), ...coding } };
}
