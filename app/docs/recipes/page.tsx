import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';
import { TextList } from '#app/docs/text-list.tsx';
import { listTexts, recipeSlugs } from '#app/docs/texts.ts';
import { currentLanguage } from '#app/i18n.ts';

export const generateMetadata = () => describeText('recipes');

export default async function Recipes() {
  return (
    <Reading slug="recipes">
      <TextList texts={listTexts(recipeSlugs, await currentLanguage())} />
    </Reading>
  );
}
