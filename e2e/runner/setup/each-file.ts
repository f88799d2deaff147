import { afterAll } from 'vitest';
import { watchFetch } from '#e2e/support/http/documented.ts';
import { endLeftServices } from '#e2e/support/service/service.ts';

// A setup file for tests that call or start services.
watchFetch();
// The hook that is registered first runs last.
afterAll(endLeftServices);
