import { expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { readFailureExamples } from '#e2e/support/http/documented.ts';
import { good, sendTo, withKey } from '#e2e/support/http/interface.ts';
import { withFreshService } from '#e2e/support/service/databases.ts';
import { enterDatabase } from '#e2e/support/service/stage.ts';

// Its own service and database: other requests on the broken schema would fail too.
test('a defect is 500 without Retry-After, says what was sent, and is logged with its stack (X27)', async () => {
  await withFreshService({}, async (service, { url }) => {
    await enterDatabase(url);
    const company = await makeCompany();
    const key = await company.newKey();
    const cookie = await signInForCookie(service.url, await company.giveAccount(await company.hire()));
    const ask = (search: string) => fetch(`${service.url}/api/v1/notif.php${search}`, { headers: withKey(key) });
    const send = (judul: string) => sendTo(service.url, key, { ...good, judul });
    const answerOf = async (response: Response) => {
      expect(response.headers.get('cache-control')).toContain('no-store');
      return [response.status, response.headers.get('retry-after'), await response.json()];
    };
    const nothingSent = (await readFailureExamples()).internal_error as object;
    // The first title fails in the statement. The second one would not be stored, without an error.
    const owner = connect(ownerUrlOf(url) ?? url, 1);
    await owner.unsafe(`
      create function defect() returns trigger language plpgsql as $$ begin
        if new.title = 'Bagi' then perform 1 / 0; end if;
        return case when new.title = 'Hilang' then null else new end;
      end $$;
      create trigger defect before insert on notifications for each row execute function defect();
      alter table employees rename column role to occupation`);
    expect(await answerOf(await send('Bagi'))).toEqual([500, null, nothingSent]);
    expect(await answerOf(await send('Hilang'))).toEqual([500, null, nothingSent]);
    const list = await ask('?aksi=karyawan');
    expect(await answerOf(list)).toEqual([500, null, nothingSent]);
    // The request was counted before its statement failed.
    expect(Number(list.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(50);
    const line = new RegExp(`^.*"${list.headers.get('x-request-id')}".*because of a defect.*$`, 'm');
    const loggedStack = () => JSON.parse(line.exec(service.output())?.[0] ?? '{}').err?.stack;
    await expect.poll(loggedStack).toMatch(/\n +at /);

    expect((await ask('?aksi=ping')).status).toBe(200);
    expect((await send('Utuh')).status).toBe(200);
    expect(await owner`select title from notifications`).toEqual([{ title: 'Utuh' }]);

    await owner`alter table notifications rename column url to link`;
    const poll = await fetch(`${service.url}/portal/feed?after=0&count=1`, { headers: { cookie } });
    expect(await answerOf(poll)).toEqual([500, null, { ok: false, code: 'internal_error' }]);
    await owner.end();
  });
});
