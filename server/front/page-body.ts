import type { IncomingMessage } from 'node:http';
import { isRouterState } from '#platform/config/next-internals.ts';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/sign-in.ts';
import { logoPath, maxLogoBytes } from '#server/companies/logo.ts';
import { importPath, maxImportBodyBytes } from '#server/employees/imports.ts';
import { maxPictureBytes, picturePath } from '#server/sends/pictures/pictures.ts';

type Head = { method?: string | undefined; headers: IncomingMessage['headers'] };

export type PageRefusal = { status: number; headers: Record<string, string> };

const maxActionBodyBytes = 16 * 1024;

/**
 * Judges a request for a page before its body is read. A body has a known length: at most 16 KiB at actions and
 * `/api/auth/`, 1 MiB at the import, 256 KiB for a logo, 300 KiB for a picture, none elsewhere. Next forwards actions
 * without a length, and limits them to 16 KiB itself.
 */
export function refuseHead({ method, headers }: Head, path: string): PageRefusal | null {
  const state = headers['next-router-state-tree'];
  if (state !== undefined && !isRouterState(String(state))) return { status: 400, headers: { Connection: 'close' } };
  const length = Number(headers['content-length'] ?? 0);
  const isChunked = headers['transfer-encoding'] !== undefined;
  const type = headers['content-type']?.trim().toLowerCase() ?? '';
  // Node reads and drops the rest of a body, however long it is.
  const close: Record<string, string> = isChunked || length > maxActionBodyBytes ? { Connection: 'close' } : {};
  const limitTo = (bytes: number, isRightType: boolean): PageRefusal | null => {
    if (isChunked || length > bytes) return { status: 413, headers: { Connection: 'close' } };
    return length > 0 && !isRightType ? { status: 415, headers: close } : null;
  };
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return limitTo(0, true);
  if (path.startsWith('/api/')) return limitTo(maxSignInBodyBytes, !type.startsWith('multipart/'));
  if (path === importPath) return limitTo(maxImportBodyBytes, type.startsWith('application/json'));
  if (path === logoPath) return limitTo(maxLogoBytes, type.startsWith('image/png'));
  if (path.startsWith(picturePath)) return limitTo(maxPictureBytes, type.startsWith('image/jpeg'));
  // Pages accept changes only as actions.
  if (method !== 'POST' || headers['next-action'] === undefined)
    return { status: 405, headers: { ...close, Allow: 'GET, HEAD' } };
  // Arguments of our actions are texts; proxy.ts judges them.
  const isText = type.startsWith('text/plain');
  return isChunked && isText ? null : limitTo(maxActionBodyBytes, isText);
}
