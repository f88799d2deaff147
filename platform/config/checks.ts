import { z } from 'zod';

/** A wrong or missing setting. The message is one sentence for the terminal, with its name. */
export class EnvError extends Error {}

export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to, {
      error: `must be a whole number from ${from} to ${to}`,
    })
    .transform(Number);

export const webAddress = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

export const oneOf = <const Word extends string>(...words: [Word, ...Word[]]) => {
  const names = words.map((word) => `"${word}"`).join(' or ');
  return z.enum(words, words.length === 2 ? `must be ${names}` : `must be one of ${words.join(', ')}`);
};

/** Whether a host is this machine itself, so that no other one can connect. */
export const isOwnMachine = (name: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(name);

export const host = z.string().regex(/^[\w.:-]+$/, 'must be a host name or an IP address');

/** The value of a JSON text, unchecked; undefined for another text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
