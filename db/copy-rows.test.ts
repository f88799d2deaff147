import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { copyRows } from '#db/copy-rows.ts';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { listMigrations } from '#e2e/server/earlier-schemas.ts';
import { countRows, makeAsOf, makeOld, type Roles, withDatabase } from '#e2e/server/old-databases.ts';

const never = new AbortController().signal;

const between = (use: (from: Roles, to: Roles) => Promise<void>) =>
  withDatabase((from) => withDatabase((to) => use(from, to)));

async function makeSource(roles: Roles): Promise<Record<string, number>> {
  return makeAsOf((await listMigrations()).length - 1, roles, await makeOld());
}

test('all rows of all tables and the sequences are copied, and a new row gets the next number', async () => {
  await between(async (from, to) => {
    const counts = await makeSource(from);
    await migrate(to.url, { ownerUrl: to.owner });
    const seen: string[] = [];
    expect(await copyRows({ from: from.owner, to: to.owner, signal: never }, (table) => seen.push(table))).toEqual(
      counts,
    );
    expect(seen.toSorted()).toEqual(Object.keys(counts));
    const [source, target] = [connect(from.owner, 1), connect(to.owner, 1)];
    expect(await countRows(target)).toEqual(counts);
    for (const sql of [source, target])
      expect(await sql`insert into companies (name) values ('PT Baru') returning id`).toEqual([{ id: 2 }]);
    await Promise.all([source.end(), target.end()]);
  });
});

test('an error in the middle, or an abort, leaves the target empty', async () => {
  await between(async (from, to) => {
    await makeSource(from);
    await migrate(to.url, { ownerUrl: to.owner });
    const target = connect(to.owner, 1);
    const empty = await countRows(target);
    const failing = () => {
      throw new Error('planted');
    };
    const addresses = { from: from.owner, to: to.owner };
    const onSend = (act: () => void) => (table: string) => {
      if (table === 'notifications') act();
    };
    await expect(copyRows({ ...addresses, signal: never }, onSend(failing))).rejects.toThrow('planted');
    const stop = new AbortController();
    await expect(
      copyRows(
        { ...addresses, signal: stop.signal },
        onSend(() => stop.abort(new Error('stopped'))),
      ),
    ).rejects.toThrow('stopped');
    expect(await countRows(target)).toEqual(empty);
    await target.end();
  });
});

test('a target whose row is not the source’s, or whose tables differ, is refused', async () => {
  await between(async (from, to) => {
    await makeSource(from);
    const owner = postgres(to.owner, { max: 1, onnotice: () => {} });
    const copy = () => copyRows({ from: from.owner, to: to.owner, signal: never }, () => {});
    await migrate(to.url, { ownerUrl: to.owner });
    await owner`create function spoil() returns trigger language plpgsql as $$ begin new.body = 'lain'; return new; end $$`;
    await owner`create trigger spoil before insert on notifications for each row execute function spoil()`;
    await expect(copy()).rejects.toThrow('the rows of notifications differ from their source');
    await owner.unsafe(`alter table notifications add column ${`further_${randomUUID().slice(0, 4)}`} text`);
    await expect(copy()).rejects.toThrow('the tables of the two databases differ; use a new, empty one');
    await owner.end();
  });
});
