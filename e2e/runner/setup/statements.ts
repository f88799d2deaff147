import type { TestProject } from 'vitest/node';
import { readStatements, type Statements } from '#e2e/structure/across-companies.ts';
import { root } from '#e2e/support/service/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    statements: Statements;
  }
}

/** The global setup of unit tests: reads once what `record-statements.ts` compares statements with. */
export default function provideStatements({ provide }: TestProject): void {
  provide('statements', readStatements(root));
}
