import { expect, test } from 'vitest';
import { makePlace, readTraces, refusalOf } from '#e2e/support/data/traces.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';

/** A node of an n8n workflow; only the properties that the tests read. */
type N8nNode = { name: string; type: string; typeVersion: number; parameters: Parameters; onError?: string };

type Named = { name: string; value: string };
type Parameters = {
  method: string;
  url: string;
  jsonBody: string;
  headerParameters: { parameters: Named[] };
  assignments: { assignments: Named[] };
  conditions: { conditions: { leftValue: string }[] };
  options: { batching: { batch: { batchSize: number; batchInterval: number } } };
  amount: number;
  unit: string;
};

type Workflow = {
  nodes: N8nNode[];
  connections: Record<string, { main: { node: string; type: string; index: number }[][] }>;
};

/** An item that flows along a connection, and the variables of n8n's expressions. */
type Item = Record<string, unknown>;
type Scope = ReturnType<typeof scopeOf>;

const ids = { $execution: { id: '231' }, $workflow: { id: 'Xy4c' } };
const scopeOf = ($json: Item, $itemIndex = 0, $runIndex = 0) => ({ $json, $itemIndex, $runIndex, ...ids });

/** The value of a parameter. One that begins with `=` has expressions, evaluated as n8n does. */
function evaluate(parameter: string, scope: Scope): unknown {
  if (!parameter.startsWith('=')) return parameter;
  const text = parameter.slice(1);
  const run = (expression: string) =>
    new Function(...Object.keys(scope), `return (${expression})`)(...Object.values(scope));
  const whole = /^\{\{((?:(?!\}\}\s*\{\{).)*)\}\}$/s.exec(text)?.[1];
  return whole === undefined ? text.replace(/\{\{(.*?)\}\}/gs, (_, expression) => String(run(expression))) : run(whole);
}

/** The item after a Set node that keeps the other fields. */
function setFields({ parameters }: N8nNode, scope: Scope): Item {
  const set = parameters.assignments.assignments.map(({ name, value }) => [name, evaluate(value, scope)]);
  return { ...scope.$json, ...Object.fromEntries(set) };
}

/** Runs an HTTP Request node for one item with its credential; a refusal becomes n8n's error item. */
async function requestFor({ parameters }: N8nNode, scope: Scope, credential: Named): Promise<Item> {
  const headers = new Headers({ [credential.name]: credential.value, 'Content-Type': 'application/json' });
  for (const { name, value } of parameters.headerParameters.parameters)
    headers.set(name, String(evaluate(value, scope)));
  const body = JSON.stringify(evaluate(parameters.jsonBody, scope));
  const response = await fetch(String(evaluate(parameters.url, scope)), { method: parameters.method, headers, body });
  const { status, ok } = response;
  const text = await response.text();
  return ok ? JSON.parse(text) : { ...scope.$json, error: { status, message: `${status} - ${JSON.stringify(text)}` } };
}

// Nodes, versions and error items are those of n8n 1.123.81, in which this workflow was run by hand.
const versions = { stickyNote: 1, manualTrigger: 1, set: 3.4, httpRequest: 4.2, if: 2.2, wait: 1.1 };
const nodeVersions = new Map(Object.entries(versions).map(([name, version]) => [`n8n-nodes-base.${name}`, version]));

async function downloadWorkflow() {
  const response = await fetch(`${process.env.SERVICE_URL}/docs/recipes/code/n8n-workflow.json`);
  const text = await response.text();
  const workflow = JSON.parse(text) as Workflow;
  const node = (name: string) => workflow.nodes.find((one) => one.name === name) as N8nNode;
  return { text, workflow, node };
}

test('n8n: the workflow file is the printed one, has known nodes and connections, and no key', async () => {
  const { text, workflow, node } = await downloadWorkflow();
  const block = (await printed('recipes/n8n', 'id')).find(({ file }) => file === 'n8n-workflow.json');
  expect(block?.text).toBe(text.trimEnd());
  expect(text).not.toContain('jss_');
  for (const { type, typeVersion } of workflow.nodes)
    expect([type, typeVersion]).toEqual([type, nodeVersions.get(type)]);
  const names = workflow.nodes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const targets = Object.values(workflow.connections).flatMap(({ main }) => main.flat());
  const led = ['Read me', 'Start', ...targets.map(({ node }) => node)];
  expect(names).toEqual(expect.arrayContaining([...Object.keys(workflow.connections), ...led]));
  expect(led).toEqual(expect.arrayContaining(names));
  const { batchSize, batchInterval } = node('Send').parameters.options.batching.batch;
  expect((60_000 / batchInterval) * batchSize).toBeLessThan(requestsPerMinute);
  expect([node('Wait a minute').parameters.amount, node('Wait a minute').parameters.unit]).toEqual([60, 'seconds']);
});

test('n8n: the nodes send once over repeats; a missing user_id is refused; 429 waits', async () => {
  const { company, employee, key } = await makePlace('n8n');
  await company.hire('Orang lain');
  const { workflow, node } = await downloadWorkflow();
  const credential = { name: 'X-API-Key', value: key };
  const parameters = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };
  expect(node('Send')).toMatchObject({ onError: 'continueErrorOutput', parameters });
  const send = async ($json: Item, $itemIndex: number) => {
    const message = setFields(node('Message'), scopeOf($json, $itemIndex));
    return requestFor(node('Send'), scopeOf(message, $itemIndex), credential);
  };
  const right = { nama: 'Karyawan Uji', jam: '08.00', user_id: employee.employeeId };
  const sent = { ok: true, terkirim: 1 };
  expect([await send(right, 0), await send(right, 0)]).toEqual([sent, sent]);
  const [condition] = node('Is it final?').parameters.conditions.conditions;
  const final = ($json: Item, $runIndex = 0) => evaluate(condition?.leftValue ?? '', scopeOf($json, 0, $runIndex));
  for (const [at, user_id] of [undefined, null, ''].entries()) {
    const refused = await send({ nama: 'Siapa', jam: '09.00', user_id }, at + 1);
    expect(final(refused)).toBe(true);
    const { reason } = setFields(node('Refused'), scopeOf(refused));
    const fields = { judul: 'Jadwal besok', isi: 'Siapa, Anda masuk pukul 09.00.', user_id: user_id ?? null };
    expect(reason).toBe((await refusalOf(key, fields)).replaceAll('\\', ''));
  }
  const busy = { error: { status: 429, message: 'Try spacing your requests out' } };
  const gone = { error: { message: 'connect ECONNREFUSED' } };
  const unavailable = { error: { status: 503, message: '503' } };
  expect([busy, unavailable, gone].map((item) => final(item))).toEqual([false, false, false]);
  expect(final(busy, 9)).toBe(true);
  const targets = (name: string) => workflow.connections[name]?.main.flat().map((target) => target.node);
  expect([targets('Is it final?'), targets('Wait a minute')]).toEqual([['Refused', 'Wait a minute'], ['Send']]);
  expect(await readTraces(company, employee)).toEqual({
    inbox: [{ title: 'Jadwal besok', body: 'Karyawan Uji, Anda masuk pukul 08.00.' }],
    audit: [{ key: 'n8n', title: 'Jadwal besok' }],
  });
});
