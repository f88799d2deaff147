import { type Check, failing, ok } from '#server/command/doctor/check.ts';
import { serviceVersion } from '#server/version.ts';

const oldestNode = 24;

/** Whether this Node can run the service. */
export const versionsCheck: Check = {
  name: 'versions',
  run: async () => [
    ok('service-version', `Staff Notification API ${serviceVersion()}.`),
    Number(process.versions.node.split('.')[0]) >= oldestNode
      ? ok('node-version', `Node ${process.versions.node}.`)
      : failing(
          'node-version',
          `Node ${process.versions.node} is too old.`,
          `The service needs Node ${oldestNode}, which \`npm ci\` installs and every package contains.`,
        ),
  ],
};
