import { expect, test } from 'vitest';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { asIdempotencyClaim } from '#server/api/send.ts';

function hashOf(changes: object) {
  const { bodyHash } = asIdempotencyClaim('satu', { ...keyDraft, ...changes });
  return bodyHash.toString('hex').slice(0, 16);
}

// The hashes are in databases: a retry after an upgrade must find that of its first request.
test('the hash of a request stays as the first release made it, also beside a new field that did not come', () => {
  expect(hashOf({})).toBe('6e64bf2be78a71ed');
  expect(hashOf({ recipients: { to: 'one', employeeId: 7 }, url: '/portal' })).toBe('51e0688f475f66d0');
  expect(hashOf({ picture: undefined })).toBe(hashOf({}));
});

test('each field that came changes the hash, a new one too', () => {
  const changes = [
    {},
    { title: 'x' },
    { body: 'x' },
    { kind: 'gaji' },
    { url: '/x' },
    { picture: 'x' },
    { sound: 'x' },
  ];
  expect(new Set(changes.map(hashOf)).size).toBe(changes.length);
});
