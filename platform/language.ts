/** The languages of pages and sentences, with the locale of their dates and numbers. `messages/` has a folder for each. */
// en-GB writes the day before the month.
export const locales = { id: 'id', en: 'en-GB' } as const;

export type Language = keyof typeof locales;

export const languages = Object.keys(locales) as Language[];

/** The language of a reader who chose none. A program reads sentences of the interface, a person reads pages and pushes. */
export const fallbackLanguage = { program: 'en', person: 'id' } as const satisfies Record<string, Language>;

export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text);

export const languageOf = (locale: string): Language | undefined =>
  languages.find((language) => locales[language] === locale);
