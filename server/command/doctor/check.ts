import type { Settings } from '#platform/config/settings.ts';

/** What a check found, and what to do. `skipped`: it could not be made here. `name`: if not that of the check. */
export type Finding = {
  name: string | undefined;
  state: 'ok' | 'warning' | 'error' | 'skipped';
  sentence: string;
  cure?: string;
};

/** What checks may look at. `settings` is null when one is wrong; `database` also when a trial does not run. */
export type Surroundings = {
  settings: Settings | null;
  database: { url: string; directUrl: string; ownerUrl: string | undefined } | null;
};

/** A check of the doctor. It reads only. It gives one finding for each thing that it looked at. */
export type Check = { name: string; run: (surroundings: Surroundings) => Promise<Finding[]> };

export const ok = (sentence: string, name?: string): Finding => ({ name, state: 'ok', sentence });

export const skipped = (sentence: string, name?: string): Finding => ({ name, state: 'skipped', sentence });

const asProblem =
  (state: Finding['state']) =>
  (sentence: string, cure: string, name?: string): Finding => ({ name, state, sentence, cure });

export const warning = asProblem('warning');

export const failing = asProblem('error');
