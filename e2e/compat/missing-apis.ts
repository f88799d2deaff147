import {
  compatData,
  type Feature,
  isFeature,
  listFeatures,
  listLacking,
  type OldestBrowsers,
} from '#e2e/compat/features.ts';

/** The place of a property: the global object's, a class's own, or of its prototype. */
export type ApiPath = readonly string[];

const scopes = new Set(['Window', 'WorkerGlobalScope', 'DedicatedWorkerGlobalScope']);

function pathsOf(type: string, name: string): ApiPath[] {
  if (scopes.has(type)) return [[name.replace(/_event$/, '')]];
  if (name.endsWith('_event')) return [[type, 'prototype', `on${name.slice(0, -'_event'.length)}`]];
  if (name.endsWith('_static')) return [[type, name.slice(0, -'_static'.length)]];
  return [
    [type, name],
    [type, 'prototype', name],
  ];
}

/**
 * All JavaScript APIs that one of the oldest browsers lacks, by their places. Places that do not
 * exist are among them, because the data does not tell static from other members everywhere.
 */
export function listMissingApis(oldest: OldestBrowsers): ApiPath[] {
  const builtins = compatData.javascript.builtins ?? ({} as Feature);
  const isMissing = (feature: Feature) => isFeature(feature) && listLacking(feature, oldest).length > 0;
  const listMembers = (type: string, members: Feature) =>
    listFeatures(members)
      // A member named like its type is the constructor.
      .filter(([name, feature]) => name !== type && /^\w+$/.test(name) && isMissing(feature))
      .flatMap(([name]) => pathsOf(type, name));
  const types = [...listFeatures(compatData.api), ...listFeatures(builtins)];
  const intl = listFeatures(builtins.Intl).filter(([name]) => /^[A-Z]/.test(name));
  return [
    ...types.filter(([, type]) => isMissing(type)).map(([name]) => [name]),
    ...types.flatMap(([name, type]) => listMembers(name, type)),
    ...intl.flatMap(([name, type]) => listMembers(name, type).map((path) => ['Intl', ...path])),
  ];
}

/** A script that deletes these APIs from a page or a worker. */
export function writeDeletion(paths: readonly ApiPath[]): string {
  return `for (const path of ${JSON.stringify(paths)}) {
    const owner = path.slice(0, -1).reduce((object, name) => object?.[name], globalThis);
    if (owner != null) Reflect.deleteProperty(owner, path.at(-1));
  }\n`;
}
