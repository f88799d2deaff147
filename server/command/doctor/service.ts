import { type Check, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { askService } from '#server/runtime/ask-service.ts';

const name = 'service';

/** Whether the service on this machine runs and is ready. */
export const serviceCheck: Check = {
  name,
  run: async ({ settings }) => {
    if (!settings) return [skipped(name, 'The settings are wrong, so the address of the service is unknown.')];
    const { isRunning, address, missing } = await askService(settings);
    if (!isRunning)
      return [warning(name, `No service answers at ${address}.`, 'Start it: systemctl start staff-notification.')];
    if (missing.length === 0) return [ok(name, `The service at ${address} is ready.`)];
    const cure = 'See the findings about the database, and the log of the service.';
    return [warning(name, `The service at ${address} is not ready: ${missing.join(', ')}.`, cure)];
  },
};
