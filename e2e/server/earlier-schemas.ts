import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#harness/service.ts';

type Journal = { entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[] };

const migrations = join(root, 'db', 'migrations');

/** Lists the names of all migrations, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const journal = JSON.parse(await readFile(join(migrations, 'meta', '_journal.json'), 'utf8')) as Journal;
  return journal.entries.map(({ tag }) => tag);
}

/**
 * Calls `use` with a folder of the first `howMany` migrations, followed by `further` (name to SQL).
 */
export async function withMigrations(
  howMany: number,
  further: Record<string, string>,
  use: (folder: string) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-migrations-'));
  try {
    await cp(migrations, folder, { recursive: true });
    const path = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(path, 'utf8')) as Journal;
    const entries = journal.entries.slice(0, howMany);
    for (const [tag, text] of Object.entries(further)) {
      const last = entries.at(-1);
      if (last) entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
      await writeFile(join(folder, `${tag}.sql`), text);
    }
    await writeFile(path, JSON.stringify({ ...journal, entries }));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Values of an old database that a test needs afterwards. */
export type OldCompany = { fingerprint: Buffer; passwordHash: string; tokenHash: Buffer };

/**
 * The statements that fill every table of the schema after migration number `newest` (0: the first):
 * a company with an owner, two employees (one with an account), a key, a broadcast, a send to one
 * employee, and their receipts.
 */
export function statementsFor(newest: number, { fingerprint, passwordHash, tokenHash }: OldCompany): string[] {
  const bytes = (value: Buffer) => `'\\x${value.toString('hex')}'`;
  const [subscription, ofSubscription] = [
    'insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth',
    `values (1, 1, '\\x02', 'https://push.example.com/1', 'p', 'a', 1)`,
  ];
  const filled: [number, string][] = [
    [0, `insert into companies (name, last_no, active_employees) values ('PT Lama', 2, 2)`],
    [
      0,
      `insert into accounts (company_id, username, name, password_hash, is_owner)
      values (1, 'pemilik-lama', 'Pemilik Lama', '${passwordHash}', true), (1, 'karyawan-lama', 'Karyawan Satu', '${passwordHash}', false)`,
    ],
    [
      0,
      `insert into employees (company_id, account_id, name, role, read_up_to)
      values (1, 2, 'Karyawan Satu', 'Kasir', 1), (1, null, 'Karyawan Dua', 'Gudang', 0)`,
    ],
    [0, `insert into employment (company_id, employee_id, from_no) values (1, 1, 0), (1, 2, 0)`],
    [
      0,
      `insert into api_keys (company_id, name, fingerprint, created_by) values (1, 'Kunci Lama', ${bytes(fingerprint)}, 1)`,
    ],
    [
      0,
      `insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
      values (1, ${bytes(tokenHash)}, 2, 1, now() + interval '7 days')`,
    ],
    [
      0,
      `insert into key_usage (company_id, key_id, window_started_at, used) values (1, 1, now() - interval '1 hour', 3)`,
    ],
    [
      0,
      `insert into notifications (company_id, no, recipient_id, title, body, kind, reach, key_id)
      values (1, 1, null, 'Untuk semua', 'Isi lama', 'info', 2, 1), (1, 2, 1, 'Untuk satu', 'Isi lama', 'gaji', 1, 1)`,
    ],
    [0, `insert into receipts (company_id, employee_id, no, shown_at, read_at) values (1, 1, 1, now(), now())`],
    [
      0,
      `insert into idempotency (company_id, key_id, idempotency_key, body_hash, reach) values (1, 1, 'sekali', '\\x00', 2)`,
    ],
    [0, `insert into sign_in_failures (subject, window_started_at, failures) values ('\\x01', now(), 1)`],
    [
      0,
      `insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id) values
      (1, 'account', 1, 'Pemilik Lama', 'key.create', '{"keyId": 1}', 'a'),
      (1, 'key', 1, 'Kunci Lama', 'notification.send', '{"reach": 1, "recipientId": 1}', 'b')`,
    ],
    [2, `insert into preferences (company_id, employee_id, muted_kinds) values (1, 1, '{timer}')`],
    [
      2,
      `insert into portals (company_id, employee_id, browser_id, sound, seen_at)
      values (1, 1, '00000000-0000-4000-8000-000000000001', 'on', now())`,
    ],
    // Before 0007 a subscription had the version of the account's sessions.
    ...(newest < 7 ? [[2, `${subscription}, session_version) ${ofSubscription}`] as [number, string]] : []),
    [
      3,
      `insert into sessions (company_id, account_id, expires_at, address, client)
      values (1, 2, now() + interval '30 days', '192.0.2.1', 'Peramban')`,
    ],
    newest < 7
      ? [3, `update push_subscriptions set created_at = now()`]
      : [7, `${subscription}, session_id) ${ofSubscription}`],
    [3, `insert into alarms (company_id, kind, key_id, details) values (1, 'repeated-broadcast', 1, '{}')`],
    [3, `insert into exports (company_id, id, created_by) values (1, '00000000-0000-4000-8000-000000000002', 1)`],
    [
      3,
      `insert into export_parts (company_id, export_id, place, bytes) values (1, '00000000-0000-4000-8000-000000000002', 0, '\\x03')`,
    ],
    [3, `insert into imports (company_id, created_by, rows) values (1, 1, '[]')`],
    [3, `insert into key_traffic (company_id, key_id, hour, requests, refused) values (1, 1, now(), 2, 0)`],
    [3, `insert into read_marks (company_id, employee_id, up_to) values (1, 1, 1)`],
    [
      3,
      `insert into refusals (company_id, at, request_id, key_id, code, operation, address, client)
      values (1, now(), '00000000-0000-4000-8000-000000000003', 1, 'title_missing', 'send', '192.0.2.1', 'curl')`,
    ],
    [8, `insert into sign_in_guesses (company_id, account_id, source) values (1, 1, '\\x04')`],
    [
      9,
      `insert into refusal_counts (company_id, hour, key_id, code, wanted, not_kept) values (1, now(), 1, 'key_rejected', 61, 1)`,
    ],
    [12, `insert into company_logos (company_id, version, png, width, height) values (1, 'a', '\\x05', 1, 1)`],
    [
      13,
      `insert into held_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, leaves_at)
      values (1, '00000000-0000-4000-8000-000000000004', 1, 'Menunggu', 'Isi', 'info', false, now() + interval '1 hour')`,
    ],
    [
      16,
      `insert into build_files (build, path, is_gzip, content, signature) values ('a', 'b.js', false, '\\x06', '\\x07')`,
    ],
    [17, `insert into hourly_jobs (name, ended_at) values ('sessions', now())`],
    [
      19,
      `insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, leaves_at, undone_at)
      values (1, '00000000-0000-4000-8000-000000000005', 1, 'Nanti', 'Isi', 'info', false, true, now() + interval '1 hour', now())`,
    ],
    [
      19,
      `insert into send_rules (company_id, account_id, title, body, kind, must_confirm, every, minute, time_zone, starts_on, ended_at)
      values (1, 1, 'Tiap hari', 'Isi', 'info', false, 'day', 480, 'Asia/Jakarta', current_date, now())`,
    ],
    [
      19,
      `insert into send_templates (company_id, name, title, body, kind, must_confirm, created_by)
      values (1, 'Contoh', 'Judul', 'Isi', 'info', false, 1)`,
    ],
    [
      19,
      `insert into notifications (company_id, no, recipient_id, title, body, kind, reach, account_id, skipped)
      values (1, 3, -1, 'Untuk kasir', 'Isi', 'info', 1, 1, 0)`,
    ],
    [19, `insert into notification_roles (company_id, no, role) values (1, 3, 'Kasir')`],
    [19, `insert into notification_people (company_id, no, employee_id) values (1, 3, 1)`],
    [
      19,
      `insert into join_links (company_id, token_hash, max_requests, created_by, expires_at)
      values (1, '\\x08', 50, 1, now() + interval '7 days')`,
    ],
    [
      19,
      `insert into join_requests (company_id, link_id, token_hash, name, address) values (1, 1, '\\x09', 'Karyawan Tiga', '')`,
    ],
    [
      19,
      `insert into owner_devices (company_id, account_id, endpoint_hash, endpoint, p256dh, auth, session_id)
      values (1, 1, '\\x0a', 'https://push.example.com/2', 'p', 'a', 1)`,
    ],
    [
      19,
      `insert into send_statistics (company_id, day, key_id, sends, reach, read_within_hour, to_confirm, confirmed, counted_at)
      values (1, current_date, 1, 2, 3, 1, 0, 0, now())`,
    ],
    // Before 0004 the last use was a column of the key.
    newest < 4
      ? [0, `update api_keys set last_used_at = now()`]
      : [
          4,
          `insert into key_uses (company_id, key_id, first_at, last_at, address, client) values (1, 1, now(), now(), '', '')`,
        ],
  ];
  return filled.filter(([since]) => since <= newest).map(([, statement]) => statement);
}
