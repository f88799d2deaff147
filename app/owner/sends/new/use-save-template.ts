'use client';

import { useTranslations } from 'next-intl';
import { fieldProblems } from '#app/owner/sends/new/content-fields.tsx';
import { saveTemplateAction } from '#app/owner/sends/new/template-actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

/** Saves a template; the problems of its fields are sentences. */
export function useSaveTemplate(onSaved: () => void) {
  const [t, ofTemplates] = [useTranslations('compose'), useTranslations('templates')];
  const own = ['nameTaken', 'tooMany', 'templateGone'] as const;
  return useAction(saveTemplateAction, onSaved, {
    ...Object.fromEntries(fieldProblems.map((name) => [name, t(name)])),
    ...Object.fromEntries(own.map((name) => [name, ofTemplates(name)])),
  });
}
