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
