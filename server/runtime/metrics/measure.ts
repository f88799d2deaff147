import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type CounterName, counters, countWith, type Metrics } from '#platform/log/metrics.ts';
import { makeGauges } from '#server/runtime/metrics/gauges.ts';

/** The metrics of one process, as JSON that can be sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Reads the metrics of this process. With gauges (default) it takes up to 1.5 s. */
export type TakeSnapshot = (withGauges?: boolean) => Promise<MetricsSnapshot>;

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const operations = ['ping', 'send', 'other'];

/**
 * Starts to count in this process (`metrics()`). Every label has a fixed list of values; no
 * company, key, person or text is ever a label. With `countProcesses`, that is in the first or only
 * process, the gauges also cover what all processes share.
 */
export function startMeasuring(countProcesses?: () => Promise<number>): TakeSnapshot {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  countWith({ time: makeTimer(registry), count: makeCounters(registry) });
  const updateGauges = makeGauges(registry, countProcesses);
  return async (withGauges = true) => {
    if (withGauges) await updateGauges();
    return registry.getMetricsAsJSON();
  };
}

function makeTimer(registry: Registry): Metrics['time'] {
  const durations = new Histogram({
    name: 'notif_request_duration_seconds',
    help: 'Requests of the API: time until the response was complete.',
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

function makeCounters(registry: Registry): Metrics['count'] {
  const known = new Map<string, Counter | Counter.Internal>();
  for (const [name, made] of Object.entries(counters)) {
    const { help, label, values } = { label: undefined, values: [], ...made };
    const labelNames = label ? [label] : [];
    const counter = new Counter({ name: `notif_${name}_total`, help, labelNames, registers: [registry] });
    for (const value of label ? [...values, 'other'] : [''])
      known.set(`${name} ${value}`, label ? startAtZero(counter, label, value) : counter);
  }
  return (name: CounterName, value = '', by = 1) => {
    (known.get(`${name} ${value}`) ?? known.get(`${name} other`))?.inc(by);
  };
}

// Prometheus computes a rate only from a series that was once seen at 0.
function startAtZero(counter: Counter, label: string, value: string): Counter.Internal {
  const child = counter.labels({ [label]: value });
  if (value !== 'other') child.inc(0);
  return child;
}
