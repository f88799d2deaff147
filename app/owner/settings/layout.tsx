import { withTexts } from '#app/ui/text/texts.tsx';

export default withTexts('exports', 'owners', 'retention');
