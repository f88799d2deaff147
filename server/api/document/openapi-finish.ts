import type { Language } from '#platform/language.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { apiTexts, fillIn } from '#server/service-texts.ts';

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

/** Sorts the components of a document, and replaces the names of its texts by the texts in one language. */
export function finishDocument(document: Document, baseUrl: string, language: Language): Document {
  for (const [kind, part] of Object.entries(document.components))
    Object.assign(document.components, { [kind]: sort(part) });
  const texts = listDocumentTexts(baseUrl, language);
  return translate(document, (name) => texts[name] ?? name);
}

const valuesOfTexts = {
  titleLimit: draftLimits.title,
  bodyLimit: draftLimits.body,
  kinds: kinds.map((kind) => `\`${kind}\``).join(', '),
};

/** The texts of the document by name, with the address of the service and the limits filled in. */
export function listDocumentTexts(base: string, language: Language): Record<string, string> {
  const texts = Object.entries(apiTexts[language].document);
  return Object.fromEntries(texts.map(([name, text]) => [name, fillIn(text, { ...valuesOfTexts, base })]));
}

/** Copies a document, with its descriptions and summaries translated paragraph by paragraph. */
export function translate<T>(part: T, translateText: (paragraph: string) => string): T {
  if (Array.isArray(part)) return part.map((item) => translate(item, translateText)) as T;
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

const sort = (components: object) =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
