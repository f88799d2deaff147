import { withTexts } from '#app/ui/text/texts.tsx';

export default withTexts('alarmSettings', 'exports', 'owners', 'retention', 'settings', 'setup');
