import { expect, test } from 'vitest';
import { MarkLog, markRow } from '#app/portal/live/store/mark-log.ts';
import { type PortalState, withArrived, withCount } from '#app/portal/live/store/portal-state.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

const item = (no: number) => ({ no, read: false, mustConfirm: true, confirmedAt: null, remindsNo: null }) as Item;

test('a list applies the marks that were stored after it was read, and those not stored yet', () => {
  const log = new MarkLog();
  const items = [item(4), item(3), item(2), item(1)];
  const readNumbers = (listedAt: number) => log.applyTo(items, listedAt).flatMap(({ no, read }) => (read ? no : []));
  log.add({ no: 1, read: true }, 100);
  expect([readNumbers(50), readNumbers(150)]).toEqual([[1], []]);
  log.begin({ no: 2, read: true });
  expect(readNumbers(Date.now())).toEqual([2]);
  // Stored, or refused.
  log.add({ no: 2, read: true }, 200);
  expect([readNumbers(150), readNumbers(250)]).toEqual([[2], []]);
  log.undo({ no: 2, read: true });
  expect(readNumbers(150)).toEqual([]);
  log.add({ withdrawn: [4] }, 300);
  log.add({ confirmed: 3, at: '2026-11-22T06:00:00.000Z' }, 300);
  const confirmed = log.applyTo(items, 250).map(({ no, confirmedAt }) => `${no} ${confirmedAt !== null}`);
  expect(confirmed).toEqual(['3 true', '2 false', '1 false']);
});

test('what is put away leaves a list, and what returns has its place by number, or is first', () => {
  const log = new MarkLog();
  log.add({ moved: [3, 1], to: 'archive' }, 100);
  const numbers = () => log.applyTo([item(4), item(3), item(2), item(1)], 50).map(({ no }) => no);
  expect(numbers()).toEqual([4, 2]);
  log.add({ returned: [item(3), item(1)] }, 200);
  expect(numbers()).toEqual([4, 3, 2, 1]);
  log.add({ returned: [{ ...item(2), back: true }] }, 300);
  expect(numbers()).toEqual([2, 4, 3, 1]);
  log.add({ returned: [item(3)] }, 400);
  expect(numbers()).toEqual([2, 4, 3, 1]);
});

test('a row keeps its place: it says where it went, and what happens to others changes nothing', () => {
  const row = markRow(item(2), { moved: [2], to: 'archive' });
  expect(row).toMatchObject({ no: 2, moved: 'archive', archived: true, read: true });
  expect(markRow(item(2), { moved: [2], to: 'snoozed' }, 'snoozed').moved).toBeUndefined();
  expect(markRow(row, { returned: [item(3)] })).toBe(row);
  expect(markRow(row, { returned: [item(2)] }).moved).toBeUndefined();
  expect(markRow(item(2), { withdrawn: [2] })).toMatchObject({ moved: 'withdrawn', title: '', body: '' });
});

test('a page keeps when the next snooze ends, through counts and arrivals', () => {
  const opened = { count: 1, asOf: 1, at: 100, backAt: null, nextBackAt: 500 };
  const state = { unread: opened, arrived: [] } as unknown as PortalState;
  expect(withCount(state, { ...opened, at: 200, nextBackAt: 600 })).toMatchObject({ at: 200, nextBackAt: 600 });
  expect(withArrived(state, []).unread).toEqual(opened);
});
