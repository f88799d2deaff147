import { DocsPage } from '#app/docs/frame/docs-page.tsx';
import { describeText } from '#app/docs/frame/metadata.ts';
import { TextList } from '#app/docs/frame/text-list.tsx';
import { listTexts, recipeSlugs } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

export const generateMetadata = () => describeText('recipes');

export default async function Recipes() {
  return (
    <DocsPage slug="recipes">
      <TextList texts={listTexts(recipeSlugs, await currentLanguage())} />
    </DocsPage>
  );
}
