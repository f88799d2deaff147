import type { Language } from '#platform/language.ts';
import type { Document } from '#server/api/document/openapi-finish.ts';

/** Named examples of the OpenAPI document. */
export type Examples = Record<string, { value: unknown }>;

/** Reads the OpenAPI document of the service under test. */
export async function readDocument(language: Language = 'en'): Promise<Document> {
  const answer = await fetch(`${process.env.SERVICE_URL}/api/v1/openapi.json?lang=${language}`);
  return (await answer.json()) as Document;
}

/** Reads the example bodies of all responses other than 200, by code. */
export async function readFailureExamples(language: Language = 'en'): Promise<Record<string, unknown>> {
  const { components } = await readDocument(language);
  const answers = Object.values(components.responses ?? {}) as { content: Record<string, { examples: Examples }> }[];
  return Object.fromEntries(
    answers
      .flatMap(({ content }) => Object.entries(content['application/json']?.examples ?? {}))
      .map(([code, { value }]) => [code, value]),
  );
}
