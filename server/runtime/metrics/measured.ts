import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type CounterName, counters, countWith, type Meters } from '#server/meters.ts';
import { makeState, type Shared } from '#server/runtime/metrics/state.ts';

/** What one process measured, as it goes from process to process. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Measures: what was counted and, unless told otherwise, how things stand now, which takes 1.5 s at most, also without the database. */
export type Measure = (withState?: boolean) => Promise<Measured>;

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const operations = ['ping', 'send', 'other'];

/**
 * Counts what happens in this process from now on. Every label has a fixed list of values: no company, key, person or text is ever
 * one. The first of several processes, or the only one, also looks at what all share.
 */
export function startMeasuring(first?: Shared): Measure {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  countWith({ time: makeTimer(registry), count: makeCounters(registry) });
  const renewState = makeState(registry, first);
  return async (withState = true) => {
    if (withState) await renewState();
    return registry.getMetricsAsJSON();
  };
}

function makeTimer(registry: Registry): Meters['time'] {
  const durations = new Histogram({
    name: 'notif_request_duration_seconds',
    help: 'Requests of the interface: how long until their answer was complete.',
    labelNames: ['operation', 'status'],
    buckets: seconds,
    registers: [registry],
  });
  const known = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  for (const operation of operations) durations.zero({ operation, status: 200 });
  return (operation, status, ms) => {
    const name = `${operation} ${status}`;
    let duration = known.get(name);
    if (!duration) {
      duration = durations.labels({ operation, status });
      known.set(name, duration);
    }
    duration.observe(ms / 1000);
  };
}

function makeCounters(registry: Registry): Meters['count'] {
  const known = new Map<string, Counter.Internal[]>();
  for (const [name, made] of Object.entries(counters)) {
    const { help, label, values, formerName } = { label: undefined, values: [], formerName: undefined, ...made };
    const labelNames = label ? [label] : [];
    const exported = [name, formerName]
      .filter((one) => one !== undefined)
      .map((one) => new Counter({ name: `notif_${one}_total`, help, labelNames, registers: [registry] }));
    for (const value of label ? [...values, 'other'] : [''])
      known.set(
        `${name} ${value}`,
        exported.map((counter) => (label ? zero(counter, label, value) : counter)),
      );
  }
  return (name: CounterName, value = '', by = 1) => {
    for (const counter of known.get(`${name} ${value}`) ?? known.get(`${name} other`) ?? []) counter.inc(by);
  };
}

// A rate needs to have seen the zero.
function zero(counter: Counter, label: string, value: string): Counter.Internal {
  const one = counter.labels({ [label]: value });
  if (value !== 'other') one.inc(0);
  return one;
}
