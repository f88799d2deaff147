import { join } from 'node:path';
import { pagesFolder } from '#platform/config/build.ts';
import { serviceVersion } from '#platform/config/version.ts';
import type { Report } from '#server/command/doctor/ask-address.ts';
import { type Finding, failing, ok, warning } from '#server/command/doctor/check.ts';
import { readBuildId } from '#server/front/build-files.ts';
import type { Build } from '#server/front/client-report.ts';

const name = 'machines';
const root = join(import.meta.dirname, '..', '..', '..');

/** The build in the folder of this program; null in one that was not built. */
export async function readOwn(): Promise<Build | null> {
  const id = await readBuildId(join(root, pagesFolder())).catch(() => null);
  return id === null ? null : { id, version: serviceVersion() };
}

function describeBuild(build: Build | null | undefined): string {
  if (build === null) return 'no pages yet';
  return build ? `${build.version} (build ${build.id.slice(0, 8)})` : 'an older version';
}

/**
 * Compares the builds that answer at APP_URL with each other and with `own`, the one in this
 * folder. An answer that is a text is the reason why there was none.
 */
export function describeMachines(answers: (Report | string)[], own: Build | null): Finding {
  const given = answers.filter((answer) => typeof answer !== 'string');
  const reports = given.flatMap(({ report }) => report ?? []);
  const strangers = given.filter(({ status }) => status === 404).length;
  if (strangers > 0)
    return failing(
      `${strangers} of ${answers.length} answers came from a machine that does not know this AUTH_SECRET.`,
      'Give all machines behind APP_URL the same AUTH_SECRET. Until then people are signed out again and again.',
      name,
    );
  const silent = answers.length - reports.length;
  if (silent > 0)
    return warning(
      `${silent} of ${answers.length} questions to APP_URL got no answer of the service.`,
      'See whether a machine behind the balancer is down, and whether the balancer checks /health/ready.',
      name,
    );
  // A version without this check names neither machine nor build.
  const machines = new Map(reports.map(({ machine, build }) => [machine ?? '', build]));
  const builds = new Map(reports.map(({ build }) => [build?.id, build]));
  const [only] = builds.values();
  const count = machines.size === 1 ? 'One machine answers' : `${machines.size} machines answer`;
  if (builds.size > 1)
    return warning(
      `The machines behind APP_URL differ: ${[...machines].map(([machine, build]) => `${machine || 'one'} has ${describeBuild(build)}`).join(', ')}.`,
      'During an upgrade this is right. Otherwise install the same package on all machines and restart them.',
      name,
    );
  if (own && only?.id !== own.id)
    return warning(
      `${count} at APP_URL, with ${describeBuild(only)}. This folder has ${describeBuild(own)}.`,
      'After an installation, restart the service. Otherwise run notif from the folder of the service.',
      name,
    );
  return ok(`${count} at APP_URL, with ${describeBuild(only)}.`, name);
}
