import postgres from 'postgres';
import { DialError, dialer, type HostChoice } from '#db/driver/dial.ts';
import type { Address, Host } from '#server/database-url.ts';

/**
 * Of several hosts the one that takes writes: all are asked at once, and the first that says so is kept until `forget`. Of one host that
 * one, unasked. `choose` throws `DialError` when none takes writes now, and PostgreSQL's own error when one refuses us.
 */
export function choosePrimary(address: Address): HostChoice {
  const [only] = address.hosts;
  let chosen: Promise<Host> | undefined;
  const forget = () => {
    chosen = undefined;
  };
  const choose = () => {
    if (chosen) return chosen;
    const looked = findPrimary(address);
    chosen = looked;
    looked.catch(() => {
      if (chosen === looked) forget();
    });
    return looked;
  };
  return only && address.hosts.length === 1 ? { choose: async () => only, forget } : { choose, forget };
}

async function findPrimary(address: Address): Promise<Host> {
  try {
    return await Promise.any(address.hosts.map((host) => requireWrites(address, host)));
  } catch (error) {
    const refusal = (error as AggregateError).errors.find((one) => one instanceof postgres.PostgresError);
    throw refusal ?? new DialError('none of the hosts takes writes now');
  }
}

async function requireWrites(address: Address, host: Host): Promise<Host> {
  const there = { ...address, hosts: [host] };
  const sql = postgres(address.url, {
    ...{ max: 1, prepare: false, fetch_types: false, connect_timeout: 2, onnotice: () => {} },
    ...{ ssl: false, socket: dialer(there, choosePrimary(there)) },
  });
  try {
    const [row] = await sql<{ isReadOnly: boolean }[]>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly"`;
    if (row?.isReadOnly) throw new DialError('the host takes no writes');
    return host;
  } finally {
    void sql.end({ timeout: 0 });
  }
}
