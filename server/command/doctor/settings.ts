import { type Check, failing, ok, warning } from '#server/command/doctor/check.ts';
import { findOpenSettingsFile, findWrongSettings } from '#server/env.ts';

/** Whether all settings can be read, and nobody else reads them. Names each wrong one. */
export const settingsCheck: Check = {
  name: 'settings',
  run: async ({ settings }) => {
    const wrong = findWrongSettings();
    const openFile = findOpenSettingsFile();
    const found = wrong.map(({ name, problem }) =>
      failing(
        'settings',
        `${name} ${problem}.`,
        'Correct it, then restart the service. docs/configuration.md has all settings.',
      ),
    );
    if (openFile)
      found.push(
        warning(
          'settings-file',
          `Everyone on this machine can read ${openFile}, which holds secrets.`,
          `chmod 600 ${openFile}. Change its secrets if others use this machine.`,
        ),
      );
    if (wrong.length > 0) return found;
    const sentence = settings?.trial ? 'All settings are right; this is a trial.' : 'All settings are right.';
    return [ok('settings', sentence), ...found];
  },
};
