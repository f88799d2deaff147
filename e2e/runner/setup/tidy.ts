import { afterAll } from 'vitest';
import { endLeftServices } from '#harness/service.ts';

// A setup file for tests that start services. The hook that is registered first runs last.
afterAll(endLeftServices);
