import type { VersionMatrixRow } from '@deviceportal/contract/versions';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';

type Tokens = FilterQuery['tokens'];

/** The device list, filtered by a component or one of its versions. */
export function devicesWithSoftware(component: string, version?: string): string {
  return devicesWith([softwareToken(component, version)]);
}

/**
 * A link to exactly the devices that a cell of the matrix counts. Null for devices of an unknown
 * model, which no filter selects. Retired devices are not counted.
 */
export function devicesOfCell(cell: {
  readonly component: string;
  readonly version: string;
  readonly row: Pick<VersionMatrixRow, 'model' | 'country' | 'otherCountries'>;
}): string | null {
  const { model, country, otherCountries } = cell.row;
  if (model === null) return null;
  return devicesWith([
    softwareToken(cell.component, cell.version),
    { key: 'model', operator: '=', values: [model] },
    ...(country === null ? [] : [{ key: 'country', operator: '=', values: [country] } as const]),
    ...(otherCountries.length === 0
      ? []
      : [{ key: 'country', operator: '!=', values: [...otherCountries] } as const]),
    { key: 'lifecycle', operator: '!=', values: ['retired'] },
  ]);
}

/**
 * The device list, filtered by an installed package: any version, a given one, or all older ones.
 */
export function devicesWithPackage(name: string, operator: '=' | '<' = '=', version?: string) {
  const value = version === undefined ? name : `${name}:${version}`;
  return devicesWith([
    { key: 'package', operator, values: [value] },
    { key: 'lifecycle', operator: '!=', values: ['retired'] },
  ]);
}

function softwareToken(component: string, version?: string): Tokens[number] {
  const value = version === undefined ? component : `${component}:${version}`;
  return { key: 'software', operator: '=', values: [value] };
}

function devicesWith(tokens: Tokens): string {
  return `/devices?q=${encodeURIComponent(encodeFilter({ operation: 'and', tokens }))}`;
}
