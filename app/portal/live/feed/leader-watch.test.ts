import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LeaderWatch } from '#app/portal/live/feed/leader-watch.ts';

const second = 1000;
const phase = fc.integer({ min: 0, max: 999 });
const share = fc.double({ min: 0, max: 0.999, noNaN: true });

type Phases = Record<'leaderPhase' | 'otherPhase' | 'random', number>;
type Frozen = { from: number; to: number };

// A leader and another tab, whose workers tick once a second, each at its own phase and up to
// `lateMs` late. The leader runs no code between `from` and `to`. Returns when the other took the lead.
function run({ leaderPhase, otherPhase, random }: Phases, { from, to }: Frozen, lateMs = (_at: number) => 0) {
  const leader = new LeaderWatch(0, () => random);
  const other = new LeaderWatch(0, () => random);
  for (let at = 0; at < 120 * second; at++) {
    if ((at - leaderPhase) % second === lateMs(at) && !(at >= from && at < to) && leader.isReportDue(at)) {
      leader.reported(at);
      other.heard(at);
    }
    if ((at - otherPhase) % second !== 0) continue;
    other.tick(at);
    if (other.isLost(at)) return at;
  }
  return null;
}

const phases = fc.record({ leaderPhase: phase, otherPhase: phase, random: share });
const froze = fc.integer({ min: 0, max: 60 * second });

test('another tab takes the lead within 8 s after a leader froze', () => {
  fc.assert(
    fc.property(phases, froze, (scene, from) => {
      const tookLead = run(scene, { from, to: Number.POSITIVE_INFINITY }) ?? Number.POSITIVE_INFINITY;
      expect(tookLead - from).toBeLessThanOrEqual(8 * second);
    }),
  );
});

test('a leader that is 2 s late now and then keeps the lead', () => {
  fc.assert(
    fc.property(phases, froze, (scene, from) => {
      expect(run(scene, { from, to: from + 2 * second }, (at) => (at % 7000 < 3500 ? 0 : 400))).toBeNull();
    }),
  );
});

test('after a sleep the leader gets time to report; one that was asked is lost after 3 to 4 s', () => {
  const asleep = new LeaderWatch(0, () => 0);
  asleep.tick(3600 * second);
  expect([3600, 3607].map((at) => asleep.isLost(at * second))).toEqual([false, true]);
  const other = new LeaderWatch(0, () => 0.999);
  other.heard(10 * second);
  other.expectReport(10 * second);
  expect([13, 14].map((at) => other.isLost(at * second))).toEqual([false, true]);
});
