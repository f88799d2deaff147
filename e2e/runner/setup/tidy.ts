import { afterAll } from 'vitest';
import { endLeftServices } from '#e2e/support/service/service.ts';

// A setup file for tests that start services. The hook that is registered first runs last.
afterAll(endLeftServices);
