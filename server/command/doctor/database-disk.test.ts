import { expect, test } from 'vitest';
import { type DiskFacts, describeLog } from '#server/command/doctor/database-disk.ts';

const facts: DiskFacts = { folder: null, isLocal: false, isArchiving: true, archiveFailedAt: null, slots: [] };
const gibibyte = 1024 ** 3;

test('a log that can be deleted needs no cure', () => {
  expect(describeLog({ ...facts, slots: [{ name: 'idle', isLost: false, kept: gibibyte / 2 }] })).toEqual([]);
  expect(describeLog({ ...facts, isArchiving: false, archiveFailedAt: new Date() })).toEqual([]);
});

test('what keeps the log from being deleted is named with a cure', () => {
  const slots = [
    { name: 'standby', isLost: false, kept: 3 * gibibyte },
    { name: 'gone', isLost: true, kept: 0 },
  ];
  const found = describeLog({ ...facts, archiveFailedAt: new Date('2026-01-02T03:04:05Z'), slots });
  expect(found.map(({ state, sentence }) => `${state}: ${sentence}`)).toEqual([
    'warning: PostgreSQL could not archive its log (last at 2026-01-02T03:04:05.000Z), so the log grows.',
    'warning: The replication slot standby has no reader and keeps 3.2 GB of log.',
    'warning: The replication slot gone is lost: its reader cannot go on.',
  ]);
  expect(found.map(({ cure }) => cure)).toEqual([
    expect.stringContaining('archive_command'),
    expect.stringContaining("pg_drop_replication_slot('standby')"),
    expect.stringContaining("pg_drop_replication_slot('gone')"),
  ]);
});
