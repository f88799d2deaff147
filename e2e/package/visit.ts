// Runs inside the bare root with the package's Node: waits, sends, signs in, reads and visits all pages.
import { readFileSync } from 'node:fs';

const base = 'http://127.0.0.1:3000';
const [, , outputFile = '', pathsFile = '', logoFile = ''] = process.argv;

async function waitForTrial(): Promise<string> {
  for (;;) {
    const output = readFileSync(outputFile, 'utf8');
    if (output.includes('was shown') || output.includes('shown this once')) return output;
    if (output.includes('ENDED')) throw new Error(output);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function signIn(username: string, password: string): Promise<string> {
  const body = JSON.stringify({ username, password });
  const headers = { origin: base, 'content-type': 'application/json' };
  const response = await fetch(`${base}/api/auth/sign-in`, { method: 'POST', headers, body });
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  return cookies.join('; ');
}

async function statusOf(path: string, cookie: string): Promise<[string, number]> {
  const response = await fetch(base + path, { headers: { cookie }, redirect: 'manual' });
  await response.body?.cancel();
  return [path, response.status];
}

const output = await waitForTrial();
const key = /X-API-Key: (jss_\w+)/.exec(output)?.[1] ?? '';
const passwordOf = (name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] ?? '';
const sent = await fetch(`${base}/api/v1/notif.php`, {
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ judul: 'Dari paket', isi: 'Tanpa jaringan.' }),
});
const employee = await signIn('karyawan1', passwordOf('karyawan1'));
const owner = await signIn('pemilik', passwordOf('pemilik'));
const inbox = await fetch(`${base}/portal`, { headers: { cookie: employee } });
const metrics = await fetch('http://127.0.0.1:9464/metrics');
const paths = JSON.parse(readFileSync(pathsFile, 'utf8')) as string[];
const visits: [string, number][] = [];
for (const path of paths) visits.push(await statusOf(path, path.startsWith('/portal') ? employee : owner));
const logo = await fetch(`${base}/owner/settings/logo`, {
  method: 'POST',
  headers: { cookie: owner, origin: base, 'content-type': 'image/png' },
  body: readFileSync(logoFile),
});
const found = {
  answer: await sent.json(),
  isInInbox: (await inbox.text()).includes('Dari paket'),
  isMeasured: /^notif_sends_total\{to="everyone"\} 1$/m.test(await metrics.text()),
  logo: await logo.json(),
  failed: visits.filter(([, status]) => status >= 500),
  found: visits.filter(([, status]) => status === 200).length,
};
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exit();
