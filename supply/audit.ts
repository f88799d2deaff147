import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// The gate before a release. Exit code 1: a package that serves has a known vulnerability of level
// high or
// critical. Exit code 2: the registry did not answer, so nothing was checked. Arguments go to npm.

type Audit = {
  metadata?: { vulnerabilities: Record<'low' | 'moderate' | 'high' | 'critical', number> };
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>;
  error?: { summary?: string };
  message?: string;
};

const args = ['audit', '--omit=dev', '--package-lock-only', '--json', ...process.argv.slice(2)];
const { stdout } = spawnSync('npm', args, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' });

function readAnswer(): Audit {
  try {
    return JSON.parse(stdout) as Audit;
  } catch {
    return { message: stdout };
  }
}

function explain({ vulnerabilities = {} }: Audit): string[] {
  return Object.entries(vulnerabilities).flatMap(([name, { severity, via }]) =>
    via.flatMap((why) => (typeof why === 'string' ? [] : [`${severity}: ${name}: ${why.title} (${why.url})`])),
  );
}

const answer = readAnswer();
if (!answer.metadata) {
  const why = answer.error?.summary || answer.message || 'no answer';
  process.stderr.write(`NOT CHECKED for vulnerabilities: the registry could not be asked (${why.trim()}).\n`);
  process.exit(2);
}
const { high, critical } = answer.metadata.vulnerabilities;
for (const line of explain(answer)) process.stdout.write(`${line}\n`);
process.stdout.write(`Packages that serve: ${critical} critical, ${high} high.\n`);
process.exit(high + critical > 0 ? 1 : 0);
