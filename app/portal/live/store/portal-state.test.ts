import { expect, test } from 'vitest';
import { type PortalState, withArrived, withCount } from '#app/portal/live/store/portal-state.ts';

test('a page keeps when the next snooze ends, through counts and arrivals', () => {
  const opened = { count: 1, asOf: 1, at: 100, backAt: null, nextBackAt: 500 };
  const state = { unread: opened, arrived: [] } as unknown as PortalState;
  expect(withCount(state, { ...opened, at: 200, nextBackAt: 600 })).toMatchObject({ at: 200, nextBackAt: 600 });
  expect(withArrived(state, []).unread).toEqual(opened);
});
