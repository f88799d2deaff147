const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const named = Object.fromEntries(Object.entries(escaped).map(([character, entity]) => [entity, character]));

/** A text in which the characters that HTML gives a meaning are written as entities. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escaped[character] ?? character);

/** The text of HTML that `renderMarkdown` made: tags removed, entities decoded. */
export const plainText = (html: string): string =>
  html
    .replace(/<\/(?:p|li|td|th|tr|pre|div|h\d)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => named[entity] ?? entity);
