import type { SearchSchemaInput } from '@tanstack/react-router';

/** Decodes a search parameter. Invalid values become the default. Never throws. */
export type SearchField<Value> = (raw: unknown) => Value;

type Fields = Readonly<Record<string, SearchField<unknown>>>;
type ValuesOf<Given extends Fields> = {
  readonly [Name in keyof Given]: ReturnType<Given[Name]>;
};

/**
 * The search parameters of a screen. Our own implementation, because a schema library would add 16
 * kB to every first load.
 */
export function searchSchema<Given extends Fields>(fields: Given) {
  return (raw: Partial<ValuesOf<Given>> & SearchSchemaInput): ValuesOf<Given> => {
    const given: Readonly<Record<string, unknown>> = raw;
    const values = Object.entries(fields).map(([name, read]) => [name, read(given[name])]);
    return Object.fromEntries(values) as ValuesOf<Given>;
  };
}

/** Also accepts numbers, because the router parses `?device=12345` as a number. */
export const textField =
  (limit: number): SearchField<string> =>
  (raw) => {
    const text = typeof raw === 'number' ? String(raw) : raw;
    return typeof text === 'string' && text.length <= limit ? text : '';
  };

/** One of the given values. The first one is the default. */
export const choiceField =
  <const Value extends string | number>(...choices: readonly [Value, ...Value[]]) =>
  (raw: unknown): Value =>
    choices.find((choice) => choice === raw) ?? choices[0];

/** Written as `live=1` in links. */
export const flagField: SearchField<boolean> = (raw) => raw === true || raw === 1;
