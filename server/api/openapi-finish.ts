import type { Language } from '#server/api/failures.ts';
import { indonesian } from '#server/api/openapi-id.ts';

/** An operation of the document, as far as it is looked into here. */
export type Operation = {
  operationId: string;
  security?: object[];
  parameters?: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; examples?: object }> };
  responses: Record<string, object>;
};

/** The document, as far as it is looked into here. */
export type Document = {
  openapi: string;
  info: { version: string; [name: string]: unknown };
  externalDocs?: object;
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: object;
    schemas: Record<string, object>;
    headers?: Record<string, object>;
    responses?: Record<string, object>;
  };
};

/** Completes a document: what every answer carries besides, names in order, the language's texts, and its address for `{base}`. */
export function finishDocument(document: Document, baseUrl: string, language: Language): Document {
  addPlainHeaders(document);
  for (const [kind, named] of Object.entries(document.components))
    Object.assign(document.components, { [kind]: sort(named) });
  const spoken = language === 'id' ? translate(document, (text) => indonesian[text] ?? text) : document;
  return JSON.parse(JSON.stringify(spoken).replaceAll('{base}', baseUrl));
}

/** The document with each description and summary put through `say`, paragraph by paragraph; everything else stays. */
export function translate<T>(part: T, say: (paragraph: string) => string): T {
  if (Array.isArray(part)) return part.map((one) => translate(one, say)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const speak = (text: string) => text.split('\n\n').map(say).join('\n\n');
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      spoken.has(name) && typeof value === 'string' ? speak(value) : translate(value, say),
    ]),
  ) as T;
}

const spoken = new Set(['description', 'summary', 'x-displayName']);

const sort = (named: object) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

const plainHeaders = {
  CacheControl: ['Cache-Control', 'Answers are never kept.', 'no-store'],
  ContentTypeOptions: ['X-Content-Type-Options', 'The answer is JSON and nothing else.', 'nosniff'],
} as const;

type Answer = { headers?: Record<string, object> };

function addPlainHeaders({ paths, components }: Document): void {
  const answers = [
    ...Object.values(components.responses ?? {}),
    ...Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ responses }) => Object.values(responses)),
    ),
  ] as Answer[];
  for (const [id, [name, description, value]] of Object.entries(plainHeaders)) {
    const schema = { type: 'string', const: value };
    components.headers = { ...components.headers, [id]: { description, required: true, schema } };
    for (const answer of answers)
      if (answer.headers) answer.headers = { ...answer.headers, [name]: { $ref: `#/components/headers/${id}` } };
  }
}
