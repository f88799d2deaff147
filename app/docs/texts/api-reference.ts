import type { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { env } from '#platform/config/settings.ts';
import { type Language, locales } from '#platform/language.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  minLength?: number;
  maxLength?: number;
};
type Example = { summary?: string; value: unknown };
type Content = Record<string, { schema: Schema; examples: Record<string, Example> }>;
type Header = { description: string; schema: Schema };
type Answer = { description: string; headers: Record<string, Header>; content: Content };
type Operation = {
  summary: string;
  description: string;
  parameters: (Header & { name: string; in: string; required: boolean })[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
};

type Labels = ReturnType<typeof useTranslations<'docs.reference'>>;

/** The operations of the OpenAPI document as Markdown: a heading of level 2 for each. */
export async function writeOperations(language: Language): Promise<string> {
  const t = await getTranslations({ locale: locales[language], namespace: 'docs.reference' });
  const document = makeOpenApiDocument(env().APP_URL, language);
  const paths = resolveReferences(document.paths, document) as Record<string, Record<string, Operation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The text of GET describes HEAD in one sentence.
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => writeOperation(method.toUpperCase(), path, operation, t)),
  );
  return operations.join('\n\n');
}

/** The part with each `$ref` replaced by its target. The document has no circular reference. */
function resolveReferences(part: unknown, document: object): unknown {
  const targetOf = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((parent, name) => Object(parent)[name], document);
  return JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value?.$ref === 'string' ? resolveReferences(targetOf(value.$ref), document) : value,
  );
}

function writeOperation(method: string, path: string, operation: Operation, t: Labels): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const yesOrNo = (required: boolean) => (required ? t('yes') : t('no'));
  const parameterRows = parameters.map(({ name, in: place, required, description: text, schema }) => [
    `\`${name}\``,
    place,
    describeType(schema),
    yesOrNo(required),
    text,
  ]);
  return [
    `## ${summary}`,
    `\`${method} ${env().APP_URL}${path}\``,
    description,
    `### ${t('parameters')}`,
    markdownTable([t('name'), t('place'), t('type'), t('required'), t('description')], parameterRows),
    ...(requestBody ? writeBody(requestBody.content, t) : []),
    `### ${t('answers')}`,
    ...writeAnswers(responses, t),
  ].join('\n\n');
}

function writeBody(content: Content, t: Labels): string[] {
  const [{ schema, examples } = { schema: {}, examples: {} }] = Object.values(content);
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    `\`${name}\``,
    describeType(field),
    schema.required?.includes(name) ? t('yes') : t('no'),
    field.description ?? '',
  ]);
  const types = Object.keys(content).map((type) => `\`${type}\``);
  return [
    `### ${t('body')}`,
    types.join(', '),
    markdownTable([t('name'), t('type'), t('required'), t('description')], rows),
    ...Object.values(examples).map(writeExample),
  ];
}

function writeAnswers(responses: Record<string, Answer>, t: Labels): string[] {
  const answers = Object.entries(responses);
  const examplesOf = ({ content }: Answer) => content['application/json']?.examples ?? {};
  const asCode = (code: string) => `[\`${code}\`](/docs/errors#${code})`;
  const rows = answers.map(([status, answer]) => [status, answer.description]);
  // A list, not a third column: on a phone the codes would not fit.
  const codes = answers
    .filter(([status]) => status !== '200')
    .map(([status, answer]) => `- ${status}: ${Object.keys(examplesOf(answer)).map(asCode).join(', ')}`);
  const headers = new Map(answers.flatMap(([, answer]) => Object.entries(answer.headers)));
  const statusesWith = (name: string) =>
    answers.filter(([, answer]) => name in answer.headers).map(([status]) => status);
  const headerRows = [...headers].map(([name, { description, schema }]) => [
    `\`${name}\``,
    statusesWith(name).length === answers.length ? t('all') : statusesWith(name).join(', '),
    describeType(schema),
    description,
  ]);
  const success = responses['200'];
  const [firstFailure] = answers.flatMap(([status, answer]) =>
    status === '200' ? [] : Object.values(examplesOf(answer)),
  );
  return [
    markdownTable([t('status'), t('description')], rows),
    `${t('codes')}:`,
    codes.join('\n'),
    ...(success ? Object.values(examplesOf(success)).map(writeExample) : []),
    ...(firstFailure ? [writeExample({ summary: t('failure'), value: firstFailure.value })] : []),
    `### ${t('headers')}`,
    markdownTable([t('name'), t('status'), t('type'), t('description')], headerRows),
  ];
}

const writeExample = ({ summary = '', value }: Example): string =>
  `${summary}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function describeType({ type, enum: values, const: constant, minLength, maxLength }: Schema): string {
  if (constant !== undefined) return `\`${constant}\``;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  const name = Array.isArray(type) ? type.join(', ') : (type ?? '');
  return maxLength === undefined ? name : `${name} (${minLength ?? 0}–${maxLength})`;
}

export const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
