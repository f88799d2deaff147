import { DocsPage, describeText } from '#app/docs/frame/docs-page.tsx';

export const generateMetadata = () => describeText('start');

export default function Docs() {
  return <DocsPage slug="start" />;
}
