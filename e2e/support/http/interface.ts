import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

export const baseUrl = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/** Calls the public interface and checks what every response must have (contract §2). */
export async function ask(search: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${baseUrl}/api/v1/notif.php${search}`, { redirect: 'manual', ...init });
  const text = await response.text();
  const { status, headers } = response;
  expectCommon({ status, headers });
  const json = init.method === 'HEAD' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status, headers, text, json };
}

/** Checks the status set and the headers that every answer carries. */
export function expectCommon({ status, headers }: { status: number; headers: Headers }): void {
  expect([200, 400, 401, 404, 405, 429, 500, 503]).toContain(status);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-ratelimit-limit')).toBe('60');
  // At an unknown address no key is judged.
  const left = headers.get('link')?.includes('#address_unknown') ? /^$/ : /^(?:[0-9]|[1-5][0-9]|60)$/;
  expect(headers.get('x-ratelimit-remaining') ?? '').toMatch(left);
  if (status === 401) {
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  }
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  for (const unwanted of ['set-cookie', 'location', 'access-control-allow-origin'])
    expect(headers.get(unwanted), unwanted).toBeNull();
}

export const withKey = (key: string): Record<string, string> => ({ 'X-API-Key': key });

/** Sends a JSON body, given as a value or, when its bytes matter, as text. */
export function sendJson(key: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const init = { method: 'POST', headers: { ...withKey(key), 'Content-Type': 'application/json', ...headers } };
  return ask('', { ...init, body: text as BodyInit });
}

export const sendTo = (url: string, key: string, fields: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/notif.php`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });

export const good = { judul: 'Judul', isi: 'Isi notifikasi' };

/** The contract test that every deployment offers as a file. */
export const contractTestFile = join(root, 'public', 'contract-test.mjs');

export async function runContractTest(args: string[], key?: string) {
  const options = { env: { NOTIF_KEY: key }, all: true, reject: false } as const;
  const { exitCode: code = null, all: output } = await execa(process.execPath, [contractTestFile, ...args], options);
  return { code, lines: output.split('\n'), output };
}
