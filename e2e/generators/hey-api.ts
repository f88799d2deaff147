import { type Failure, type ReadErrors, read, type SendErrors, send } from './hey';
import { createClient, createConfig } from './hey/client';

type Asked = { base: string; key: string; employee: number };

// Every documented failure has the one body.
const failureOfRead: ReadErrors[400 | 401 | 405 | 429 | 503] extends Failure ? true : never = true;
const failureOfSend: SendErrors[400 | 401 | 404 | 405 | 429 | 503] extends Failure ? true : never = true;

// The client calls this for each way of authentication. The key goes into one header only.
const clientOf = (base: string, key?: string) =>
  createClient(createConfig({ baseUrl: base, auth: ({ type }) => (type === 'apiKey' ? key : undefined) }));

/** Everything an integrator does, with the client of @hey-api/openapi-ts. */
export async function succeed({ base, key, employee }: Asked) {
  const client = clientOf(base, key);
  const ping = await read({ client, query: { aksi: 'ping' } });
  const list = await read({ client, query: { aksi: 'karyawan' } });
  if (!ping.data || !list.data) throw new Error((ping.error ?? list.error)?.error);
  const company: string = ping.data.perusahaan ?? '';
  const ids: number[] = (list.data.karyawan ?? []).map(({ user_id }) => user_id);
  const sent = await send({
    client,
    body: { judul: 'Judul', isi: 'Isi', user_id: employee, jenis: 'info', url: '/portal' },
    headers: { 'Idempotency-Key': `klien-${employee}` },
  });
  const count: number | undefined = sent.data?.terkirim;
  const remaining = sent.response?.headers.get('X-RateLimit-Remaining') ?? null;
  return { company, ids, count, remaining };
}

/** Each failure with its type: status, and the body that every one of them has. */
export async function fail({
  base,
  key,
  employee,
}: Asked): Promise<{ status: number; failure: Failure | undefined }[]> {
  if (!failureOfRead || !failureOfSend) throw new Error('never');
  const client = clientOf(base, key);
  const failures = [
    // @ts-expect-error A notification without judul does not compile.
    await send({ client, body: { isi: 'Isi', user_id: employee } }),
    // @ts-expect-error There is no such aksi.
    await read({ client, query: { aksi: 'kirim' } }),
    // @ts-expect-error user_id is no boolean.
    await send({ client, body: { judul: 'Judul', isi: 'Isi', user_id: true } }),
    await read({ client: clientOf(base), query: { aksi: 'ping' } }),
    await send({ client, body: { judul: 'Judul', isi: 'Isi', user_id: 2_147_483_647 } }),
    await client.delete<never, Failure>({ url: '/api/v1/notif.php', headers: { 'X-API-Key': key } }),
  ].map(({ response, error }) => ({ status: response?.status ?? 0, failure: error as Failure | undefined }));
  for (let request = 0; request < 60; request++) {
    const { response, error } = await read({ client, query: { aksi: 'ping' } });
    if (error) return [...failures, { status: response?.status ?? 0, failure: error }];
  }
  return failures;
}
