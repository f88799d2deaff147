import fc from 'fast-check';
import type { Body } from '#e2e/fuzz/bodies.ts';
import type { Random } from '#harness/random.ts';
import { makeOpenApiDocument } from '#server/api/openapi.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};
type Written = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const path = '/api/v1/notif.php';
const document = makeOpenApiDocument('http://127.0.0.1') as unknown as Written;
const operations = document.paths[path] ?? {};

/** The documented statuses of a method. A method without an operation has those of GET. */
export const documentedStatuses = (method: string): Set<number> =>
  new Set(Object.keys((operations[method.toLowerCase()] ?? operations.get)?.responses ?? {}).map(Number));

const samples = new Map<string, string[]>();

function sampleOf(pattern: string): string[] {
  const made = samples.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 100 });
  samples.set(pattern, made);
  return made;
}

const letters = [...'aZ0 é日😀\u0301\n"\\<&%+=\u202e\u0000\ud800'];
const others: unknown[] = JSON.parse(
  '[null, true, false, 0, -1, 1.5, 1e21, "", " ", "0", [], [1], {}, {"a": []}, {"toString": 0, "length": 5}, "__proto__"]',
);

function textOf({ pattern, minLength = 0, maxLength = 400 }: Schema, chance: Random): string {
  // Lengths at and next to the limits, and between them.
  const edges = [minLength, minLength + 1, maxLength - 1, maxLength];
  if (chance.happens(0.15)) edges.push(maxLength + 1, minLength - 1);
  const length = chance.happens(0.3) ? chance.of(edges) : minLength + chance.below(Math.min(maxLength, 60));
  const unit = chance.of(chance.happens(0.9) ? letters.slice(0, 7) : letters);
  const start = pattern && chance.happens(0.95) ? chance.of(sampleOf(pattern)) : '';
  return [...start, ...unit.repeat(Math.max(0, pattern && !pattern.endsWith('/') ? 0 : length))]
    .slice(0, Math.max(0, length, start.length))
    .join('');
}

function valueFor(schema: Schema, chance: Random): unknown {
  if (chance.happens(0.06)) return chance.of(others);
  const among = schema.oneOf ?? schema.anyOf;
  if (among) return valueFor(chance.of(among), chance);
  if (schema.enum) return chance.of(schema.enum);
  const type = Array.isArray(schema.type) ? chance.of(schema.type) : schema.type;
  if (type === 'integer') return chance.of([0, 1, 2, 3, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e300]);
  return type === 'null' ? null : textOf(schema, chance);
}

function fieldsOf(reference: Schema, chance: Random): [string, unknown][] {
  const schema = document.components.schemas[reference.$ref?.split('/').at(-1) ?? ''] ?? reference;
  // The pattern of a form's field is its name between ^ and $.
  const named = Object.entries(schema.patternProperties ?? {}).map(([name, one]) => [name.slice(1, -1), one] as const);
  const fields = [...Object.entries(schema.properties ?? {}), ...named].flatMap(([name, one]): [string, unknown][] => {
    const wanted = schema.required?.includes(name) ? 0.97 : 0.5;
    return chance.happens(wanted) ? [[name, valueFor(one, chance)]] : [];
  });
  if (chance.happens(0.05))
    fields.push([chance.of(['x', '__proto__', 'toString', 'Judul', 'userId', 'USER-ID']), chance.of(others)]);
  if (chance.happens(0.03) && fields.length > 0) fields.push(chance.of(fields));
  return fields;
}

const writers: Record<string, (fields: [string, unknown][]) => Body> = {
  'application/json': (fields) => ({
    contentType: 'application/json',
    bytes: Buffer.from(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`),
  }),
  'application/x-www-form-urlencoded': (fields) => ({
    contentType: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(
      fields.map((pair) => pair.map((one) => encodeURIComponent(asText(one).toWellFormed())).join('=')).join('&'),
    ),
  }),
  'multipart/form-data': (fields) => ({
    contentType: 'multipart/form-data; boundary=z',
    bytes: Buffer.from(
      `${fields.map(([name, value]) => `--z\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${asText(value)}\r\n`).join('')}--z--\r\n`,
    ),
  }),
};

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/**
 * Makes a random request from the document: query, headers and body of an operation, mostly valid.
 */
export function makeDocumented(chance: Random): {
  method: string;
  query: string;
  headers: string[];
  body: Body | null;
} {
  const method = chance.of(Object.keys(operations));
  const { parameters = [], requestBody } = operations[method] ?? {};
  const given = parameters.filter(({ required }) => chance.happens(required ? 0.97 : 0.3));
  const written = given.map((one) => ({ ...one, value: asText(valueFor(one.schema, chance)) }));
  const query = new URLSearchParams(
    written.filter((one) => one.in === 'query').map(({ name, value }) => [name, value.toWellFormed()]),
  );
  const headers = written
    .filter((one) => one.in === 'header')
    .map(({ name, value }) => `${name}: ${Buffer.from(value.replace(/\p{Cc}/gu, '')).toString('latin1')}`);
  const [type, content] = requestBody ? chance.of(Object.entries(requestBody.content)) : [];
  const write = writers[type ?? ''];
  if (content && !write) throw new Error(`nothing here writes ${type}`);
  return {
    method: method.toUpperCase(),
    query: query.size > 0 ? `?${query}` : '',
    headers,
    body: content && write ? write(fieldsOf(content.schema, chance)) : null,
  };
}
