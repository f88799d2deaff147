import { findOpenSettingsFile, findWrongSettings } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { type Check, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { readyPath } from '#server/front/health.ts';

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

const timeoutMs = 2500;

// A wildcard address cannot be connected to.
const reachable = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

/** Whether the service on this machine, at HOST and PORT, runs and is ready. */
export const serviceCheck: Check = {
  name: 'service',
  run: async ({ settings }) => {
    if (!settings) return [skipped('The settings are wrong, so the address of the service is unknown.')];
    const address = `http://${reachable(settings.HOST)}:${settings.PORT}`;
    const answer = await fetch(address + readyPath, { signal: AbortSignal.timeout(timeoutMs) })
      .then((response) => response.json() as Promise<{ ready?: boolean; missing?: string[] }>)
      .catch(() => null);
    if (typeof answer?.ready !== 'boolean')
      return [warning(`No service answers at ${address}.`, 'Start it: systemctl start staff-notification.')];
    if (answer.ready) return [ok(`The service at ${address} is ready.`)];
    const cure = 'See the findings about the database, and the log of the service.';
    return [warning(`The service at ${address} is not ready: ${answer.missing?.join(', ')}.`, cure)];
  },
};
