// All uses of undocumented behaviour of Next 16 in the service; release/package/trace.ts has those of the package.
// Each export has a test in next-internals.test.ts that fails when Next changes it.
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#platform/config/checks.ts';
import { processWide } from '#platform/config/process-wide.ts';

// A function, because the folder does not exist in the bundle of the pages.
const rootFolder = () => join(import.meta.dirname, '..', '..');

export const findNextProgram = (): string => join(rootFolder(), 'node_modules', 'next', 'dist', 'bin', 'next');

/** Keeps Next from reading `.env` files: variables that the service removed must not come back. */
export function keepNextFromReadingFiles(): void {
  process.env.__NEXT_PROCESSED_ENV = 'true';
}

const actionNames = () => processWide('action-names', () => new Map<string, string>());

/** The name of a form action by the id that browsers send; the id itself where no build was read. */
export const nameOfAction = (id: string): string => actionNames().get(id) ?? id;

/**
 * Makes Next serve the build in `folder`, a path below the project, with the configuration that the build stored, as
 * `output: 'standalone'` does. Otherwise it would compile next.config.ts, which a package lacks.
 */
export async function serveWithBuiltConfig(folder: string): Promise<void> {
  const built = await readFile(join(rootFolder(), folder, 'required-server-files.json'), 'utf8');
  const { config } = JSON.parse(built) as { config: object };
  const manifest = await readFile(join(rootFolder(), folder, 'server', 'server-reference-manifest.json'), 'utf8');
  const { node } = JSON.parse(manifest) as { node: Record<string, { exportedName: string }> };
  for (const [id, { exportedName }] of Object.entries(node)) actionNames().set(id, exportedName);
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, distDir: folder });
}

/**
 * Sets the headers from which Next reads the client's `address` and the host. Next compares `Origin` with `Host`, also
 * when it forwards an action internally. The front has checked both, so they become those of `appUrl`.
 */
export function tellNext(headers: IncomingHttpHeaders, address: string, appUrl: string): void {
  const own = new URL(appUrl);
  headers['x-forwarded-for'] = address;
  if (headers.origin && (headers['next-action'] || headers.origin === own.origin)) {
    headers.origin = own.origin;
    headers.host = own.host;
  }
  delete headers['x-forwarded-host'];
  delete headers['x-forwarded-proto'];
}

/**
 * Whether a body has the arguments of a form action as our pages write them: a JSON list of up to four plain values, at
 * most 12 deep. React's format also has references to parts, files, streams and actions (`"$F1"`), which no page needs
 * and whose decoding can execute an attacker's code (CVE-2025-55182).
 */
export function hasPlainArguments(body: string): boolean {
  const values = parseJson(body);
  return Array.isArray(values) && values.length <= 4 && isPlain(values, 12);
}

// The text `$$…` is a text that begins with a dollar. The others are values that JSON lacks.
const plainText = /^(?!\$)|^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$|D)/;

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return plainText.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isPlain(part, depth - 1));
}

const Segment = z.union([
  z.string(),
  z.tuple([
    z.string(),
    z.string(),
    z.string().regex(/^(?:o?c|d|[cd]i(?:\(\.{1,3}\)|\(\.\.\)\(\.\.\)))$/),
    z.array(z.string()).nullable(),
  ]),
]);
const Tree: z.ZodType = z.tuple([
  Segment,
  z.lazy(() => z.record(z.string(), Tree)),
  z.tuple([z.string(), z.string()]).nullish(),
  z.enum(['refetch', 'inside-shared-layout', 'metadata-only']).nullish(),
  z.number().nullish(),
  z.string().optional(),
]);

/** Whether Next reads this header `Next-Router-State-Tree`. It answers another one with 500, and logs it. */
export function isRouterState(header: string): boolean {
  try {
    return Tree.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    return false;
  }
}
