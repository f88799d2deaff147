import { afterAll } from 'vitest';
import { endLeftServices } from '#harness/service.ts';

// Loaded before every file of tests that may start services; what is registered first runs last.
afterAll(endLeftServices);
