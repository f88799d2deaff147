'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { checkDraft, draftShape } from '#app/owner/sends/draft-input.ts';
import { done, Id, label, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { addTemplate, changeTemplate, deleteTemplate, maxTemplateName } from '#server/sends/templates.ts';

const problemFields = {
  'name-taken': { name: 'nameTaken' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooMany' },
  gone: { form: 'templateGone' },
};

/** Keeps text and recipients under a name: as a new template, or in place of `template`. */
export const saveTemplateAction = managerAction(
  z.object({ ...draftShape, name: label(maxTemplateName), template: Id.nullable() }),
  async (manager, { name, template, ...input }) => {
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const { draft } = checked;
    const saved = await (template === null
      ? addTemplate(manager, name, draft)
      : changeTemplate(manager, template, name, draft));
    if (typeof saved === 'string' && saved !== 'changed') return refused(problemFields[saved]);
    revalidatePath('/owner/sends', 'layout');
    return done(null);
  },
);

/** Deletes a template. */
export const deleteTemplateAction = managerAction(z.object({ template: Id }), async (manager, { template }) => {
  const deleted = await deleteTemplate(manager, template);
  revalidatePath('/owner/sends', 'layout');
  return deleted === 'deleted' ? done(null) : refused({ form: 'templateGone' });
});
