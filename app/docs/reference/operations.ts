import { createMarkdownFromOpenApi } from '@scalar/openapi-to-markdown';
import type { Language } from '#server/api/failures.ts';
import { makeOpenApiDocument } from '#server/api/openapi.ts';
import { env } from '#server/env.ts';

const kept = new Map<Language, Promise<string>>();

async function write(language: Language): Promise<string> {
  const whole = await createMarkdownFromOpenApi(
    makeOpenApiDocument(env().APP_URL, language) as Record<string, unknown>,
  );
  // What comes before is the introduction, which the page has in its own words.
  return whole.slice(whole.indexOf('## Operations')).trim();
}

/** The operations of the OpenAPI document as Markdown. */
export function writeOperations(language: Language): Promise<string> {
  const writing = kept.get(language) ?? write(language);
  kept.set(language, writing);
  return writing;
}
