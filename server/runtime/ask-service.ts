import type { Settings } from '#platform/config/settings.ts';
import { readyPath } from '#server/front/health.ts';

const timeoutMs = 2500;

/** How the service on this machine answers: `missing` names what keeps it from being ready. */
export type ServiceState = { isRunning: boolean; address: string; missing: string[] };

// A wildcard address cannot be connected to.
const reachable = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

/** Asks the service on this machine, at HOST and PORT, whether it is ready. Waits 2.5 s at most. */
export async function askService({ HOST, PORT }: Settings): Promise<ServiceState> {
  const address = `http://${reachable(HOST)}:${PORT}`;
  try {
    const response = await fetch(address + readyPath, { signal: AbortSignal.timeout(timeoutMs) });
    const answer = (await response.json()) as { ready?: boolean; missing?: string[] };
    if (typeof answer.ready !== 'boolean') return { isRunning: false, address, missing: [] };
    return { isRunning: true, address, missing: answer.missing ?? [] };
  } catch {
    return { isRunning: false, address, missing: [] };
  }
}

/** What the metrics of a running service say. */
export type Measured = { since: string; processes: number; processesWanted: number; streams: number };

/** Reads METRICS_PORT of this machine; null without it or when it does not answer. */
export async function readMetrics({ METRICS_HOST, METRICS_PORT }: Settings): Promise<Measured | null> {
  if (METRICS_PORT === undefined) return null;
  try {
    const address = `http://${reachable(METRICS_HOST)}:${METRICS_PORT}/metrics`;
    const text = await (await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })).text();
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map((match) => Number(match[1]));
    const sum = (name: string) => values(name).reduce((total, value) => total + value, 0);
    return {
      since: new Date(Math.min(...values('notif_start_time_seconds')) * 1000).toISOString(),
      processes: sum('notif_processes'),
      processesWanted: sum('notif_processes_wanted'),
      streams: sum('notif_streams_open'),
    };
  } catch {
    return null;
  }
}
