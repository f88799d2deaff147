import '#app/owner/sends/sends.css';
import { withTexts } from '#app/ui/text/texts.tsx';

export default withTexts('planned', 'sends');
