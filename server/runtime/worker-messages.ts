import type { StreamRequest } from '#server/feed/stream-connection.ts';
import type { Idle } from '#server/front/drain.ts';
import type { ServeSettings } from '#server/runtime/http-service.ts';
import type { MetricsSnapshot } from '#server/runtime/metrics/measure.ts';

/**
 * Sent to a worker together with a connection. `SocketHandover` adds an id. The worker confirms it
 * with `accepted` and the same id.
 */
export type Handover = { command: 'accept' };

/** Sent to a stream process together with the connection of a stream, as a `Handover` is. */
export type StreamHandover = { command: 'hold'; request: StreamRequest };

type Passed<Command> = Command & { id: number };

/** What the first process tells a stream process. */
export type StreamCommand = Passed<StreamHandover> | { command: 'stop' } | { command: 'measure' };

/** What the first process tells a worker. */
export type WorkerCommand =
  | Passed<Handover>
  | { command: 'serve'; settings: ServeSettings }
  | { command: 'stop'; idle: Idle }
  | { command: 'measure' };

/**
 * What a worker or stream process tells the first process. `failed` carries the sentence to print (`explainStart`).
 */
export type WorkerReport =
  | { report: 'serving' }
  | { report: 'failed'; sentence: string }
  | { report: 'accepted'; id: number }
  | { report: 'measured'; snapshot: MetricsSnapshot };

/** How long a worker may take to stop, in milliseconds. After that it is killed. */
export const maxWorkerStopMs = 8500;
