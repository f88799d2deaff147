import type { Check } from '#server/command/doctor/check.ts';
import { clockCheck } from '#server/command/doctor/clock.ts';
import { connectionsCheck, durabilityCheck } from '#server/command/doctor/connections.ts';
import { databaseCheck } from '#server/command/doctor/database.ts';
import { databaseDiskCheck } from '#server/command/doctor/database-disk.ts';
import { diskCheck, filesCheck, memoryCheck } from '#server/command/doctor/machine.ts';
import { proxyCheck } from '#server/command/doctor/proxy.ts';
import { serviceCheck } from '#server/command/doctor/service.ts';
import { settingsCheck } from '#server/command/doctor/settings.ts';
import { versionsCheck } from '#server/command/doctor/versions.ts';

/** All checks of `notif doctor`, in the order in which they are made and printed. */
export const checks: Check[] = [
  settingsCheck,
  versionsCheck,
  databaseCheck,
  connectionsCheck,
  durabilityCheck,
  databaseDiskCheck,
  clockCheck,
  diskCheck,
  memoryCheck,
  filesCheck,
  serviceCheck,
  proxyCheck,
];
