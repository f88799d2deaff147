import { findOpenSettingsFile, findWrongSettings } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { type Check, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { askService } from '#server/runtime/ask-service.ts';

/** Whether all settings can be read, and nobody else reads them. Names each wrong one. */
export const settingsCheck: Check = {
  name: 'settings',
  run: async ({ settings }) => {
    const wrong = findWrongSettings();
    const openFile = findOpenSettingsFile();
    const found = wrong.map(({ name, problem }) =>
      failing(`${name} ${problem}.`, 'Correct it, then restart the service. docs/configuration.md has all settings.'),
    );
    if (openFile)
      found.push(
        warning(
          `Everyone on this machine can read ${openFile}, which holds secrets.`,
          `chmod 600 ${openFile}. Change its secrets if others use this machine.`,
          'settings-file',
        ),
      );
    if (wrong.length > 0) return found;
    const sentence = settings?.trial ? 'All settings are right; this is a trial.' : 'All settings are right.';
    return [ok(sentence), ...found];
  },
};

export const versionsCheck: Check = {
  name: 'versions',
  run: async () => [
    ok(`Staff Notification API ${serviceVersion()}.`, 'service-version'),
    ok(`Node ${process.versions.node}.`, 'node-version'),
  ],
};

/** Whether the service on this machine runs and is ready. */
export const serviceCheck: Check = {
  name: 'service',
  run: async ({ settings }) => {
    if (!settings) return [skipped('The settings are wrong, so the address of the service is unknown.')];
    const { isRunning, address, missing } = await askService(settings);
    if (!isRunning)
      return [warning(`No service answers at ${address}.`, 'Start it: systemctl start staff-notification.')];
    if (missing.length === 0) return [ok(`The service at ${address} is ready.`)];
    const cure = 'See the findings about the database, and the log of the service.';
    return [warning(`The service at ${address} is not ready: ${missing.join(', ')}.`, cure)];
  },
};
