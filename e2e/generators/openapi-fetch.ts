import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

type Failure = components['schemas']['Failure'];
type Asked = { base: string; key: string; employee: number };

const path = '/api/v1/notif.php';

/** Everything an integrator does, with the client of openapi-typescript and openapi-fetch. */
export async function succeed({ base, key, employee }: Asked) {
  const client = createClient<paths>({ baseUrl: base, headers: { 'X-API-Key': key } });
  const ping = await client.GET(path, { params: { query: { aksi: 'ping' } } });
  const list = await client.GET(path, { params: { query: { aksi: 'karyawan' } } });
  if (ping.error || list.error) throw new Error((ping.error ?? list.error)?.error);
  // One operation with two answers: each leaves the fields of the other out.
  const company: string = ping.data.perusahaan ?? '';
  const ids: number[] = (list.data.karyawan ?? []).map(({ user_id }) => user_id);
  // @ts-expect-error perusahaan may be missing: the list has none.
  list.data.perusahaan satisfies string;
  const sent = await client.POST(path, {
    body: { judul: 'Judul', isi: 'Isi', user_id: employee, jenis: 'info', url: '/portal' },
    params: { header: { 'Idempotency-Key': `klien-${employee}` } },
  });
  const count: number | undefined = sent.data?.terkirim;
  const remaining: string | null = sent.response.headers.get('X-RateLimit-Remaining');
  return { company, ids, count, remaining };
}

/** Each failure with its type: status, and the body that every one of them has. */
export async function fail({
  base,
  key,
  employee,
}: Asked): Promise<{ status: number; failure: Failure | undefined }[]> {
  const client = createClient<paths>({ baseUrl: base, headers: { 'X-API-Key': key } });
  const stranger = createClient<paths>({ baseUrl: base });
  const ping = () => client.GET(path, { params: { query: { aksi: 'ping' } } });
  const failures = [
    // @ts-expect-error A notification without judul does not compile.
    await client.POST(path, { body: { isi: 'Isi', user_id: employee } }),
    // @ts-expect-error There is no such aksi.
    await client.GET(path, { params: { query: { aksi: 'kirim' } } }),
    // @ts-expect-error user_id is no boolean.
    await client.POST(path, { body: { judul: 'Judul', isi: 'Isi', user_id: true } }),
    await stranger.GET(path, { params: { query: { aksi: 'ping' } } }),
    await client.POST(path, { body: { judul: 'Judul', isi: 'Isi', user_id: 2_147_483_647 } }),
    // @ts-expect-error There is no DELETE.
    await client.DELETE(path, {}),
  ].map(({ response, error }) => ({ status: response.status, failure: error as Failure | undefined }));
  for (let request = 0; request < 60; request++) {
    const { response, error } = await ping();
    const failure: Failure | undefined = error;
    if (failure) return [...failures, { status: response.status, failure }];
  }
  return failures;
}
