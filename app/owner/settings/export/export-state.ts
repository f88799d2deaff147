import type { Export } from '#server/exports/exports.ts';

/** What a page that watches a copy knows of it; `percent` is 100 only when it is finished. */
export type ExportState = {
  state: 'making' | 'ready' | 'failed';
  percent: number;
  bytes: number;
  until: string | null;
};

const keptMs = 24 * 60 * 60 * 1000;

/** A copy as its page watches it. */
export function asExportState({ finishedAt, failedAt, rowsDone, rowsTotal, bytes }: Export): ExportState {
  const state = finishedAt ? 'ready' : failedAt ? 'failed' : 'making';
  const percent = finishedAt ? 100 : Math.min(99, Math.floor((100 * rowsDone) / Math.max(1, rowsTotal)));
  return { state, percent, bytes, until: finishedAt && new Date(finishedAt.getTime() + keptMs).toISOString() };
}
