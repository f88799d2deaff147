import type { Language } from '#platform/language.ts';
import paragraphs from '#server/api/document/openapi-id.json' with { type: 'json' };
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

export type Example = { summary: string; value: Record<string, unknown> };

/** An operation of the document, with the parts that this code reads. */
export type Operation = {
  operationId: string;
  description?: string;
  security?: object[];
  parameters?: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; examples?: Record<string, Example> }> };
  responses: Record<string, object>;
};

/** The document, with the parts that this code reads. */
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

/** Sorts the components of a document, translates it, and replaces `{base}` by its address. */
export function finishDocument(document: Document, baseUrl: string, language: Language): Document {
  for (const [kind, named] of Object.entries(document.components))
    Object.assign(document.components, { [kind]: sort(named) });
  const translated = language === 'id' ? translate(document, (text) => indonesian[text] ?? text) : document;
  return JSON.parse(JSON.stringify(translated).replaceAll('{base}', baseUrl));
}

/** Copies a document, with its descriptions and summaries translated paragraph by paragraph. */
export function translate<T>(part: T, translateText: (paragraph: string) => string): T {
  if (Array.isArray(part)) return part.map((one) => translate(one, translateText)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const translateAll = (text: string) => text.split('\n\n').map(translateText).join('\n\n');
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      translatedNames.has(name) && typeof value === 'string' ? translateAll(value) : translate(value, translateText),
    ]),
  ) as T;
}

const translatedNames = new Set(['description', 'summary', 'x-displayName']);

const sort = (named: object) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

const listOfKinds = kinds.map((kind) => `\`${kind}\``).join(', ');

/** The document's paragraphs in Indonesian, by the English one. A test compares both sets. */
export const indonesian: Record<string, string> = {
  ...paragraphs,
  [`Title: 1 to ${draftLimits.title} characters (Unicode code points) of which at least one is visible.`]: `Judul: 1 sampai ${draftLimits.title} karakter (code point Unicode), paling sedikit satu terlihat.`,
  [`Body: 1 to ${draftLimits.body} characters (Unicode code points) of which at least one is visible.`]: `Isi: 1 sampai ${draftLimits.body} karakter (code point Unicode), paling sedikit satu terlihat.`,
  [`Kind: ${listOfKinds}. Selects the icon only. Anything else is treated as \`info\`.`]: `Jenis: ${listOfKinds}. Hanya menentukan ikon. Nilai lain dianggap \`info\`.`,
};
