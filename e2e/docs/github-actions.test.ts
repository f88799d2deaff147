import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { audited, makeReader, printedBlock, sentTo, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks } from '#e2e/support/programs.ts';

const checked = test.skipIf(lacks('curl')).concurrent;

type Step = { name?: string; if?: string; env?: Record<string, string>; run?: string };
type Workflow = { on: object; jobs: Record<string, { 'runs-on': string; steps: Step[] }> };

// What GitHub sets for a step, and its shell; the secret is in NOTIF_KEY already.
const github = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'pt-contoh/toko',
  GITHUB_WORKFLOW: 'deploy',
  GITHUB_REF_NAME: `fitur/${'panjang-'.repeat(20)}`,
  GITHUB_RUN_ID: '1234567890',
  GITHUB_RUN_ATTEMPT: '1',
};
const inBash = 'bash -e step.sh';

async function lastStep(): Promise<{ step: Step; text: string }> {
  const workflow = parse((await printedBlock('github-actions', 'deploy.yml')).text) as Workflow;
  const step = workflow.jobs.deploy?.steps.at(-1) ?? {};
  return { step, text: step.run ?? '' };
}

checked('GitHub Actions: the last step sends only after a failed one, with the key from the secrets', async () => {
  const { run, keep, arrived } = await makeReader();
  const { step, text } = await lastStep();
  expect(step).toMatchObject({ if: 'failure()', env: { NOTIF_KEY: `\${{ secrets.NOTIF_KEY }}` } });
  expect(text).not.toMatch(/\$\{\{/);
  const { text: stumbling, proxy } = await throughProxy(text);
  await keep('step.sh', stumbling);
  expect(await run(inBash, github)).toMatchObject({ code: 0, out: sentTo(2) });
  await proxy.stop();
  expect(proxy.onceKeys).toEqual(Array(4).fill('1234567890-1'));
  await keep('step.sh', text);
  expect(await run(inBash, github)).toMatchObject({ code: 0, out: sentTo(2) });
  const { titles, audited: rows } = await arrived();
  expect(titles[0]).toEqual([`Gagal: deploy, ${github.GITHUB_REF_NAME}`.slice(0, 120)]);
  expect(rows).toEqual(audited(2));
});

checked('GitHub Actions: a refusal is in the log, is asked once, and the step fails', async () => {
  const { run, keep, revoke } = await makeReader();
  const { text, proxy } = await throughProxy((await lastStep()).text, []);
  await keep('step.sh', text);
  await revoke();
  const rejected = await run(inBash, github);
  expect([rejected.code, JSON.parse(rejected.out).code]).toEqual([1, 'key_rejected']);
  await proxy.stop();
  expect(proxy.onceKeys).toHaveLength(1);
});
