import { useTranslations } from 'next-intl';

/** Finds the sentence of a problem: the message of this name in the first section that has it, filled with `values`. */
export function useSentences(sections: string[], values = {}) {
  const t = useTranslations();
  return (problem: string) => {
    const key = sections.map((section) => `${section}.${problem}` as 'compose.gone').find((name) => t.has(name));
    return key && t(key, values as never);
  };
}
