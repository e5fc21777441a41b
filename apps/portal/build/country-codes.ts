import { iso31661 } from 'iso-3166';

const byNumber = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
/** Shapes of Natural Earth that carry no number of ISO 3166-1. Kosovo's code is one that ISO leaves to its users. */
const byName: Readonly<Record<string, string>> = { Kosovo: 'XK' };

/** ISO 3166-1 alpha-2 of a country's shape in world-atlas; undefined where it has none. */
export function countryCodeOf(shape: {
  readonly id?: string | number | undefined;
  readonly properties?: object | null | undefined;
}): string | undefined {
  const name: unknown = (shape.properties as { name?: unknown } | null | undefined)?.name;
  return byNumber.get(String(shape.id)) ?? (typeof name === 'string' ? byName[name] : undefined);
}
