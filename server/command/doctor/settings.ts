import { type Check, failing, ok } from '#server/command/doctor/check.ts';
import { findWrongSettings } from '#server/env.ts';

/** Whether all settings can be read. Names each wrong one. */
export const settingsCheck: Check = {
  name: 'settings',
  run: async ({ settings }) => {
    const wrong = findWrongSettings();
    if (wrong.length > 0)
      return wrong.map(({ name, problem }) =>
        failing(
          'settings',
          `${name} ${problem}.`,
          'Correct it, then restart the service. docs/configuration.md has all settings.',
        ),
      );
    return [ok('settings', settings?.trial ? 'All settings are right; this is a trial.' : 'All settings are right.')];
  },
};
