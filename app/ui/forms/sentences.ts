import { useTranslations } from 'next-intl';

/** The sentences for problems that only one form knows: by their names, or a function that may know one. */
export type Sentences = Record<string, string> | ((problem: string) => string | undefined);

/** The messages of sections as the sentences for the problems of their names; the first has it. `values` fill it. */
export function useSentences(sections: string[], values = {}) {
  const t = useTranslations();
  return (problem: string) => {
    const key = sections.map((section) => `${section}.${problem}` as 'compose.gone').find((name) => t.has(name));
    return key && t(key, values);
  };
}
