import type { TablesConfig } from '../config.ts';
import type { SettingValues } from '../settings.ts';

export function chooseTables(values: SettingValues): TablesConfig {
  const { region, tableEndpoint: endpoint } = values;
  const named = (name: string): string | undefined => (name === 'database' ? undefined : name);
  return {
    ...{ region, endpoint },
    names: {
      'software-versions': named(values.softwareVersionTable),
      'device-versions': named(values.deviceVersionTable),
      geolocations: named(values.geolocationTable),
    },
  };
}
