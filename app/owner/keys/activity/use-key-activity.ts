'use client';

import { useEffect, useState } from 'react';
import type { KeyCall } from '#server/keys/key-overview.ts';

/** A rejected request. `more`: number of further identical calls in the same second. */
export type LiveRejectedRequest = {
  id: number;
  at: Date;
  address: string;
  client: string;
  more: number;
  reason: string;
  cure: string;
};

/** A key's activity. `now` is the server's time. `requests` counts the last 24 hours. */
export type KeyActivityState = {
  now: Date;
  revokedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refusals: LiveRejectedRequest[];
};

/**
 * Why the activity is out of date. `offline`: the last poll failed, and polling continues. `ended`:
 * the session ended. `gone`: the key does not exist.
 */
export type ActivityProblem = 'offline' | 'ended' | 'gone';

const pollIntervalMs = 1000;
const maxPollingMs = 60 * 60 * 1000;

type ActivityUpdate = { activity?: KeyActivityState; problem?: ActivityProblem };

/** Polls the activity of a key once a second while the page is visible, for at most one hour. */
export function useKeyActivity(id: number): ActivityUpdate {
  const [state, setState] = useState<ActivityUpdate>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const pollUntil = Date.now() + maxPollingMs;
    const poll = async () => {
      const update = document.visibilityState === 'visible' ? await fetchActivity(id, signal) : {};
      if (signal.aborted) return;
      if (update.activity || update.problem)
        setState((before) => ({ activity: update.activity ?? before.activity, ...update }));
      const isOver = update.problem === 'ended' || update.problem === 'gone' || Date.now() > pollUntil;
      if (!isOver) timer = setTimeout(poll, pollIntervalMs);
    };
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return state;
}

async function fetchActivity(id: number, signal: AbortSignal): Promise<ActivityUpdate> {
  try {
    const response = await fetch(`/owner/keys/${id}/watch`, { signal, cache: 'no-store' });
    if (response.ok)
      return { activity: asActivityState((await response.json()) as KeyActivityState), problem: undefined };
    if (response.status === 401) return { problem: 'ended' };
    return { problem: response.status === 404 ? 'gone' : 'offline' };
  } catch {
    return { problem: 'offline' };
  }
}

function asActivityState({ now, revokedAt, lastUse, refusals, ...activity }: KeyActivityState): KeyActivityState {
  return {
    ...activity,
    now: new Date(now),
    revokedAt: revokedAt && new Date(revokedAt),
    lastUse: lastUse && { ...lastUse, at: new Date(lastUse.at) },
    refusals: refusals.map((refusal) => ({ ...refusal, at: new Date(refusal.at) })),
  };
}
