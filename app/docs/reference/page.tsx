import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';

export const generateMetadata = () => describeText('reference');

export default async function Reference() {
  return <Reading slug="reference" />;
}
