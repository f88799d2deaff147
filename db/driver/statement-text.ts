// A piece of the text that is being made: placeholders in place of values.
class Piece {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function textOf(value: unknown): string {
  if (value instanceof Piece) return value.text;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value < 0 ? `(${value})` : String(value);
  if (typeof value === 'string' && /^[a-z.]+$/.test(value)) return `'${value}'`;
  throw new Error(`a text that is made once cannot contain a ${typeof value} of one run`);
}

const asPiece = (strings: readonly string[], ...values: unknown[]) =>
  new Piece(strings.reduce((text, part, at) => text + textOf(values[at - 1]) + part));

// Only while `makeText` runs `build`, which is synchronous.
let isMaking = false;

/** In place of the driver's tag while a text is made, otherwise undefined. */
export const textTag = () => (isMaking ? asPiece : undefined);

/** The text of a statement, and the names of its parameters in their order. */
export type StatementText = { text: string; names: string[] };

/**
 * Makes the text of the statement that `build` puts together from placeholders, one for each name.
 * Whole numbers and names (of `a` to `z` and dots) between its parts become a part of the text;
 * other values throw.
 */
export function makeText(names: string[], build: (placeholders: object) => unknown): StatementText {
  isMaking = true;
  try {
    const placeholders = names.map((name) => [name, new Piece(`$<${name}>`)]);
    const text = textOf(build(Object.fromEntries(placeholders)));
    // PostgreSQL refuses a parameter that is not in the text.
    const used = names.filter((name) => text.includes(`$<${name}>`));
    return { text: text.replace(/\$<(\w+)>/g, (_, name: string) => `$${used.indexOf(name) + 1}`), names: used };
  } finally {
    isMaking = false;
  }
}
