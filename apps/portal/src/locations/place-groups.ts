import type { LocationCell, LocationCells, PlacedDevice } from '@deviceportal/contract/locations';
import type { MapArea } from '@deviceportal/contract/map-area';
import { connectivity, type Connectivity } from '@deviceportal/contract/states';

/** A mark on the map and a row of its table: a cell, or the devices at one spot. */
export interface PlaceGroup {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly byConnectivity: Readonly<Record<Connectivity, number>>;
  readonly outside: number;
  readonly country: string | null;
  readonly otherCountries: number;
  /** The area filter of the device list for these devices. */
  readonly area: MapArea;
  /** The devices themselves, if few are in view. */
  readonly devices: readonly PlacedDevice[];
}

const states = Object.keys(connectivity) as Connectivity[];

export function groupsOf(answer: LocationCells): readonly PlaceGroup[] {
  if (answer.devices.length === 0) return answer.cells.map(groupOfCell);
  const spots = Map.groupBy(
    answer.devices,
    ({ latitude, longitude }) => `${latitude},${longitude}`,
  );
  return [...spots].map(([spot, devices]) => groupOfDevices(spot, devices));
}

function groupOfCell(cell: LocationCell): PlaceGroup {
  const { west, south } = cell.area;
  return { ...cell, id: `${west},${south}`, devices: [] };
}

function groupOfDevices(id: string, devices: readonly PlacedDevice[]): PlaceGroup {
  const [{ latitude = 0, longitude = 0, country = null } = {}] = devices;
  const count = (state: Connectivity): number =>
    devices.filter((device) => device.connectivity === state).length;
  return {
    id,
    latitude,
    longitude,
    country,
    otherCountries: 0,
    count: devices.length,
    byConnectivity: Object.fromEntries(states.map((state) => [state, count(state)])) as Record<
      Connectivity,
      number
    >,
    outside: devices.filter(({ outside }) => outside).length,
    area: { west: longitude, south: latitude, east: longitude, north: latitude },
    devices,
  };
}
