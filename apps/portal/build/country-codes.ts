import { iso31661 } from 'iso-3166';

const byNumber = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
/**
 * Shapes of Natural Earth without an ISO 3166-1 number. Kosovo’s code is from the user-assigned
 * range of ISO.
 */
const byName: Readonly<Record<string, string>> = { Kosovo: 'XK' };

/** The ISO 3166-1 alpha-2 code of a shape in world-atlas. Undefined if it has none. */
export function countryCodeOf(shape: {
  readonly id?: string | number | undefined;
  readonly properties?: object | null | undefined;
}): string | undefined {
  const name: unknown = (shape.properties as { name?: unknown } | null | undefined)?.name;
  return byNumber.get(String(shape.id)) ?? (typeof name === 'string' ? byName[name] : undefined);
}
