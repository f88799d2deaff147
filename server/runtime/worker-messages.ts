import type { Idle } from '#server/front/drain.ts';
import type { ServeSettings } from '#server/runtime/http-service.ts';
import type { MetricsSnapshot } from '#server/runtime/metrics/measure.ts';

/**
 * Sent to a worker together with a connection. The worker confirms it with `accepted` and the same
 * id.
 */
export type Handover = { command: 'accept'; id: number };

/** What the first process tells a worker. */
export type WorkerCommand =
  | Handover
  | { command: 'serve'; settings: ServeSettings }
  | { command: 'stop'; idle: Idle }
  | { command: 'measure' };

/**
 * What a worker tells the first process. `failed` carries the sentence to print (`explainStart`).
 */
export type WorkerReport =
  | { report: 'serving' }
  | { report: 'failed'; sentence: string }
  | { report: 'accepted'; id: number }
  | { report: 'measured'; snapshot: MetricsSnapshot };

/** How long a worker may take to stop, in milliseconds. After that it is killed. */
export const maxWorkerStopMs = 8500;
