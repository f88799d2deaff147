import { sql } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { makeReconciliation } from '#db/reconciliation.ts';
import type { Rows } from '#db/schema/rows.ts';
import { countServers, onEachServer, places } from '#db/servers.ts';
import { databaseUrls } from '#platform/config/database.ts';

const readMs = 1000;

type Placed = { companyId: Rows['companies']['id']; server: number };

// What each server said last: companies that have moved at some time, and where they are.
const listed: Placed[][] = [];

async function readPlaces(): Promise<void> {
  const read = async (at: number) => {
    const startedAt = performance.now();
    listed[at] = await withDeadline(
      () => sql()<Placed[]>`select id as "companyId", server from companies where server is not null`,
    );
    places.readAt[at] = startedAt;
  };
  await onEachServer(read).finally(placeCompanies);
}

// A company is on the server that names itself. What another one still has of it is left over.
function placeCompanies(): void {
  const rows = listed.flatMap((companies, at) => companies.map((company) => ({ ...company, at })));
  const arrived = rows.filter(({ server, at }) => server === at);
  places.ofCompanies = new Map(
    [...rows, ...arrived].map(({ companyId, server, at }) => [companyId, { server: at, isMoving: server !== at }]),
  );
}

const reconciliation = makeReconciliation(readMs, readPlaces, 'the places of moved companies could not be read');

/** Reads where companies are, now and every second. With one server it does nothing. Never throws. */
export async function followPlaces(): Promise<void> {
  if (countServers() === 1) return;
  if (places.readAt.length === 0) places.readAt = databaseUrls().map(() => Number.NEGATIVE_INFINITY);
  await reconciliation.run();
  reconciliation.start();
}

export const stopFollowingPlaces = reconciliation.stop;
