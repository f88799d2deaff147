import { fallbackLanguage, type Language, languages } from '#platform/language.ts';
import { describeReceivedKind, isReceivedKind } from '#server/api/received-kind.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { apiTexts } from '#server/service-texts.ts';

// The texts of a language have the sentences of its codes by status.
const sentences = apiTexts[fallbackLanguage.program].failures;
type Sentences = typeof sentences;

type AsNumber<Text> = Text extends `${infer Value extends number}` ? Value : never;

export type FailureStatus = AsNumber<keyof Sentences>;

/** The stable code of a failure. It never changes; its sentence may. */
export type FailureCode = { [Status in keyof Sentences]: keyof Sentences[Status] }[keyof Sentences];

const checkOrder = [401, 429, 405, 400, 404, 500, 503] satisfies FailureStatus[];

/** Every failure, in the order in which the service checks. */
export const failures = Object.fromEntries(
  checkOrder.flatMap((status) =>
    Object.keys(sentences[status]).map((code) => [code, { status, ...translate(status, code) }]),
  ),
) as Record<FailureCode, Record<Language, string> & { status: FailureStatus }>;

function translate(status: FailureStatus, code: string): Record<string, string | undefined> {
  const sentenceIn = (language: Language) => (apiTexts[language].failures[status] as Record<string, string>)[code];
  return Object.fromEntries(languages.map((language) => [language, sentenceIn(language)]));
}

/** A failure of one request, the `field` at fault, and what its sentence mentions: numbers, excerpts, kinds. */
export type Failure = { code: FailureCode; field?: string; parameters?: FailureParameters };

/** The values that the sentence of a failure mentions, by their names in the sentence. */
export type FailureParameters = Record<string, number | string | undefined>;

/** Whether a result is a failure. The fields of a request and all answers have no `code`. */
export const isFailure = (result: unknown): result is Failure =>
  typeof result === 'object' && result !== null && 'code' in result;

/** The sentence of a failure. `{name}` becomes its value; a part in brackets goes when its value is not known. */
export function failureSentence({ code, field, parameters }: Failure, language: Language): string {
  const limits = { titleLimit: draftLimits.title, bodyLimit: draftLimits.body };
  const values: Record<string, unknown> = { ...limits, ...parameters, field };
  const text = failures[code][language].replace(/\[([^\]]*\{(\w+)\}[^\]]*)\]/g, (_, part: string, name: string) =>
    values[name] === undefined ? '' : part,
  );
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return isReceivedKind(value) ? describeReceivedKind(value, language) : String(value ?? '…');
  });
}

/** Whether a stored text is the code of a failure that exists today. */
export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(failures, code);

/** The JSON body of a failure, with its sentence in the caller's language (contract §2). */
export function failureBody(failure: Failure, language: Language): string {
  const { code, field } = failure;
  // JSON leaves out a field that is undefined.
  return JSON.stringify({ ok: false, error: failureSentence(failure, language), code, field });
}
