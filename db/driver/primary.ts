import postgres from 'postgres';
import { DialError, dialer, type HostChoice } from '#db/driver/dial.ts';
import type { Address, Host } from '#platform/config/database-url.ts';

/**
 * Chooses the host that takes writes. Asks all hosts at once and keeps the first that does, until
 * `forget`. A single host is chosen without being asked. `choose` rejects with `DialError` when no
 * host takes writes now, and with PostgreSQL's error when one refused the sign-in.
 */
export function choosePrimary(address: Address): HostChoice {
  const [only] = address.hosts;
  if (only && address.hosts.length === 1) return { choose: async () => only, forget: () => {} };
  let chosen: Promise<Host> | undefined;
  const forget = () => {
    chosen = undefined;
  };
  const choose = () => {
    if (chosen) return chosen;
    const found = findPrimary(address);
    chosen = found;
    found.catch(() => {
      if (chosen === found) forget();
    });
    return found;
  };
  return { choose, forget };
}

async function findPrimary(address: Address): Promise<Host> {
  try {
    return await Promise.any(address.hosts.map((host) => requireWritable(address, host)));
  } catch (error) {
    const refusal = (error as AggregateError).errors.find((one) => one instanceof postgres.PostgresError);
    throw refusal ?? new DialError('none of the hosts takes writes now');
  }
}

async function requireWritable(address: Address, host: Host): Promise<Host> {
  const oneHost = { ...address, hosts: [host] };
  // The driver's types do not know `socket`.
  const options: postgres.Options<Record<string, never>> & { socket: ReturnType<typeof dialer> } = {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: 2,
    onnotice: () => {},
    ssl: false,
    socket: dialer(oneHost, choosePrimary(oneHost)),
  };
  const sql = postgres(address.url, options);
  try {
    const [row] = await sql<{ isReadOnly: boolean }[]>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly"`;
    if (row?.isReadOnly) throw new DialError('the host takes no writes');
    return host;
  } finally {
    void sql.end({ timeout: 0 });
  }
}
