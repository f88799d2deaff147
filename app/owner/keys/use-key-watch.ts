'use client';

import { useEffect, useState } from 'react';
import type { KeyCall } from '#server/keys/key-overview.ts';

/** A refusal as it is shown live. */
export type LiveRefusal = { id: number; at: Date; address: string; client: string; more: number } & Words;
type Words = { reason: string; cure: string };

/** What a key is doing, as of `now` by the service's clock. */
export type Watch = {
  now: Date;
  revokedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refusals: LiveRefusal[];
};

/** Why nothing new is known: no connection (it goes on trying), nobody signed in any more, no such key. */
export type WatchTrouble = 'offline' | 'ended' | 'gone';

const everyMs = 1000;
const hourMs = 60 * 60 * 1000;

/** Asks every second what a key is doing, as long as the page is looked at, for an hour at most. */
export function useKeyWatch(id: number): { watch?: Watch; trouble?: WatchTrouble } {
  const [state, setState] = useState<{ watch?: Watch; trouble?: WatchTrouble }>({});
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout>;
    const until = Date.now() + hourMs;
    const ask = async () => {
      const answer = document.visibilityState === 'visible' ? await askOnce(id, signal) : {};
      if (signal.aborted) return;
      if (answer.watch || answer.trouble) setState((before) => ({ watch: answer.watch ?? before.watch, ...answer }));
      const over = answer.trouble === 'ended' || answer.trouble === 'gone' || Date.now() > until;
      if (!over) timer = setTimeout(ask, everyMs);
    };
    void ask();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return state;
}

async function askOnce(id: number, signal: AbortSignal): Promise<{ watch?: Watch; trouble?: WatchTrouble }> {
  try {
    const response = await fetch(`/owner/keys/${id}/watch`, { signal, cache: 'no-store' });
    if (response.ok) return { watch: revive((await response.json()) as Watch), trouble: undefined };
    if (response.status === 401) return { trouble: 'ended' };
    return { trouble: response.status === 404 ? 'gone' : 'offline' };
  } catch {
    return { trouble: 'offline' };
  }
}

function revive({ now, lastUse, refusals, ...watch }: Watch): Watch {
  return {
    ...watch,
    now: new Date(now),
    lastUse: lastUse && { ...lastUse, at: new Date(lastUse.at) },
    refusals: refusals.map((refusal) => ({ ...refusal, at: new Date(refusal.at) })),
  };
}
