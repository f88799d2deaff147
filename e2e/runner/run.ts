import { mkdir, rm, writeFile } from 'node:fs/promises';
import { outboundLogVariables, reportFolder } from '#e2e/runner/environment.ts';
import { checkPrograms, count, missingFile, printOutcome } from '#e2e/runner/outcome.ts';
import { browserVariables, withServices } from '#e2e/runner/services.ts';
import { announce, check, isWhole, needsService, printProgress, wanted } from '#e2e/runner/steps.ts';
import { endedFile } from '#e2e/support/service/service.ts';
import { buildIfNeeded } from '#server/runtime/build-pages.ts';

await mkdir(reportFolder, { recursive: true });
for (const file of [missingFile, endedFile]) await rm(file, { force: true });
process.env.MISSING_PROGRAMS = missingFile;
process.env.SETTINGS_FILE = '/dev/null';
await writeFile(outboundLogVariables.OUTBOUND_LOG, '');
const started = Date.now();
if (isWhole) Object.assign(process.env, browserVariables());
printProgress(started);
if (wanted('types')) await check('types of pages', 'next', ['typegen']);
if (wanted('types')) await check('types', 'tsc', ['-p', 'tsconfig.check.json', '--noEmit']);
if (wanted('lint')) await check('lint', 'biome', ['check', '.']);
if (needsService) {
  announce('build');
  await buildIfNeeded();
  await withServices();
}
await checkPrograms();
await printOutcome(started);
process.exit(count.failed === 0 ? 0 : 1);
