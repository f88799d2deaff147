import type { Failure } from '#server/api/failures.ts';
import { kindOf, quoted } from '#server/api/received-kind.ts';

/** A number of a JSON body as it was written. Its rounded value cannot tell `1e-400` from 0. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** The name of a field that was probably meant as `user_id`, in place of a `user_id` that did not come. */
export class MisspeltUserId {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Finds the first name that equals `user_id` without case, `_` and `-`, such as `userId`. For a body
 * without `user_id`: it would reach everyone if such a field were ignored (contract §6).
 */
export function findMisspeltUserId(names: string[]): MisspeltUserId | null {
  const name = names.find((one) => one.replace(/[_-]/g, '').toLowerCase() === 'userid');
  return name === undefined ? null : new MisspeltUserId(name);
}

const decimal = /^(?:0|-?[1-9][0-9]*)$/;

/**
 * Checks a `user_id` that came (contract §6). An integer is a JSON number, or its plain decimal
 * form as a text. Everything else is a failure: only a missing field or 0 may mean every employee.
 */
export function checkUserId(value: unknown): number | Failure {
  if (value instanceof JsonNumber && isInteger(value.source)) return Number(value.source);
  if (typeof value === 'string' && decimal.test(value)) return Number(value);
  const field = 'user_id';
  if (value instanceof MisspeltUserId)
    return { code: 'user_id_misspelt', field, figures: { came: quoted(value.name) } };
  if (value === null || value === '') return { code: 'user_id_empty', field, figures: { came: kindOf(value) } };
  if (value instanceof JsonNumber)
    return { code: 'user_id_not_integer', field, figures: { came: 'number', value: quoted(value.source) } };
  // An object is not converted to text: the caller may have set its `toString`.
  const shown = typeof value === 'string' ? quoted(value) : undefined;
  return { code: 'user_id_not_integer', field, figures: { came: kindOf(value), value: shown } };
}

/**
 * Whether the digits of a JSON number are an integer: those of `5.0` and `5e0` are, those of
 * `1e-400` are not.
 */
function isInteger(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const places = fraction.length - Number(exponent);
  if (places <= 0) return Number.isFinite(Number(source));
  const digits = whole + fraction;
  return /^0*$/.test(places >= digits.length ? digits : digits.slice(-places));
}
