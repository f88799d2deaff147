import { createContext } from 'react';

export type Problems = Record<string, string>;

/** The problems of the fields of the form around. `Form` provides it. */
export const FormProblems = createContext<Problems>({});

export function readForm(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
