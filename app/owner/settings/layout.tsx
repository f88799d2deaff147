import { withTexts } from '#app/ui/text/texts.tsx';

export default withTexts('alarmSettings', 'owners', 'retention', 'settings', 'setup');
