import paragraphs from '#server/api/document/openapi-id.json' with { type: 'json' };
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

const listOfKinds = kinds.map((kind) => `\`${kind}\``).join(', ');

/** The document's paragraphs in Indonesian, by the English one. A test compares both sets. */
export const indonesian: Record<string, string> = {
  ...paragraphs,
  [`Title: 1 to ${draftLimits.title} characters (Unicode code points) of which at least one is visible.`]: `Judul: 1 sampai ${draftLimits.title} karakter (code point Unicode), paling sedikit satu terlihat.`,
  [`Body: 1 to ${draftLimits.body} characters (Unicode code points) of which at least one is visible.`]: `Isi: 1 sampai ${draftLimits.body} karakter (code point Unicode), paling sedikit satu terlihat.`,
  [`Kind: ${listOfKinds}. Selects the icon only. Anything else is treated as \`info\`.`]: `Jenis: ${listOfKinds}. Hanya menentukan ikon. Nilai lain dianggap \`info\`.`,
};
