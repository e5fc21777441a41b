import type { SearchSchemaInput } from '@tanstack/react-router';

/** Reads one search parameter; whatever makes no sense becomes its default. Never throws. */
export type SearchField<Value> = (raw: unknown) => Value;

type Fields = Readonly<Record<string, SearchField<unknown>>>;
type ValuesOf<Given extends Fields> = {
  readonly [Name in keyof Given]: ReturnType<Given[Name]>;
};

/**
 * The search parameters of a screen. Written out here because every first load carries them: a schema library for them
 * alone would be 16 kB of it.
 */
export function searchSchema<Given extends Fields>(fields: Given) {
  return (raw: Partial<ValuesOf<Given>> & SearchSchemaInput): ValuesOf<Given> => {
    const given: Readonly<Record<string, unknown>> = raw;
    const values = Object.entries(fields).map(([name, read]) => [name, read(given[name])]);
    return Object.fromEntries(values) as ValuesOf<Given>;
  };
}

/** The router reads `?device=12345` as a number; a text of digits is a text all the same. */
export const textField =
  (limit: number): SearchField<string> =>
  (raw) => {
    const text = typeof raw === 'number' ? String(raw) : raw;
    return typeof text === 'string' && text.length <= limit ? text : '';
  };

/** One of these values; the first one named is the default. */
export const choiceField =
  <const Value extends string | number>(...choices: readonly [Value, ...Value[]]) =>
  (raw: unknown): Value =>
    choices.find((choice) => choice === raw) ?? choices[0];

/** Written by hand or in a link it is `live=1`. */
export const flagField: SearchField<boolean> = (raw) => raw === true || raw === 1;
