import { useMemo } from 'react';
import type { DeviceFilterKey } from '@deviceportal/contract/devices';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { parseMapArea } from '@deviceportal/contract/map-area';
import { connectivity, deviceLifecycle, tavState } from '@deviceportal/contract/states';
import { useApiClient } from '../../../api/use-api.ts';
import { useFormat, type Formatters } from '../../../i18n/format-values.ts';
import { useLanguage } from '../../../i18n/language-store.ts';
import type { Language } from '../../../i18n/languages.ts';
import { useT, type Translate } from '../../../i18n/use-t.ts';
import { usePersonNames } from '../../../people/use-person-names.ts';
import type { FilterQuery } from '../../../ui/filter-codec.ts';
import type { FilterProperty, FilterValue } from '../../../ui/property-filter-bar.tsx';
import { wordOf, type StateKind } from '../../../ui/status-of.tsx';
import { metricLimitWords, suggestMetricLimits } from './metric-limit.ts';
import { failingParts, operatorsByKey } from './device-filter-keys.ts';

/** Keys with suggestions from the server. */
const suggested: readonly DeviceFilterKey[] = [
  'serialNumber',
  'name',
  'owner',
  'model',
  'country',
  'label',
  'platform',
  'agentVersion',
  'software',
  'package',
  'lastSeen',
  'added',
  'metric',
  'newestMetric',
];

/** Filter properties of the device list in the current language. */
export function useDeviceFilterProperties(query: FilterQuery): readonly FilterProperty[] {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const client = useApiClient();
  const names = usePersonNames(ownersOf(query));
  const nameKey = JSON.stringify([...names]);
  return useMemo(() => {
    const stateValues = (kind: StateKind, table: object): FilterValue[] =>
      Object.keys(table).map((value) => ({ value, label: wordOf(kind, value, language) }));
    const closed: Partial<Record<DeviceFilterKey, readonly FilterValue[]>> = {
      connectivity: stateValues('connectivity', connectivity),
      lifecycle: stateValues('deviceLifecycle', deviceLifecycle),
      tavState: stateValues('tavState', tavState),
      finding: [...findingRules, 'any' as const].map((value) => ({
        value,
        label: t(`devices.finding.${value}`),
      })),
      failing: failingParts.map((value) => ({ value, label: t(`devices.part.${value}`) })),
    };
    const formats: Partial<Record<DeviceFilterKey, (value: string) => string>> = {
      owner: (value) => names.get(value) ?? value,
      country: (value) => format.country(value),
      lastSeen: (value) => momentWords(value, t, format),
      added: (value) => momentWords(value, t, format),
      tavState: (value) => tavStateWords(value, language),
      area: (value) => areaWords(value, t),
      metric: (value) => metricLimitWords(value, { t, number: format.number }),
      newestMetric: (value) => metricLimitWords(value, { t, number: format.number }),
    };
    const suggest = async (key: DeviceFilterKey, text: string): Promise<FilterValue[]> => {
      if (key === 'metric' || key === 'newestMetric')
        return suggestMetricLimits(text).map((value) => ({
          value,
          label: metricLimitWords(value, { t, number: format.number }),
        }));
      const found = await client.devices.suggest.query({ key, text });
      return found.map(({ value, label }) => ({
        value,
        label: key === 'owner' ? label : (formats[key]?.(value) ?? label),
      }));
    };
    const property = (key: DeviceFilterKey): FilterProperty => {
      const label = t(`devices.filter.${key}`);
      const values = closed[key];
      const formatValue = formats[key];
      return {
        key,
        label,
        groupLabel: t('devices.filter.values', { property: label }),
        operators: operatorsByKey[key],
        ...(values === undefined ? {} : { values }),
        ...(formatValue === undefined ? {} : { format: formatValue }),
        ...(suggested.includes(key) ? { suggest: (text) => suggest(key, text) } : {}),
      };
    };
    return (Object.keys(operatorsByKey) as DeviceFilterKey[]).map(property);
    // The names are a new map with each render, so their content is compared.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [t, language, format, client, nameKey]);
}

function ownersOf(query: FilterQuery): string[] {
  return query.tokens.filter(({ key }) => key === 'owner').flatMap(({ values }) => values);
}

/** A state, or `component:state` as in links of the versions page. */
function tavStateWords(value: string, language: Language): string {
  const colon = value.lastIndexOf(':');
  const word = wordOf('tavState', value.slice(colon + 1), language);
  return colon < 0 ? word : `${value.slice(0, colon)}: ${word}`;
}

function areaWords(value: string, t: Translate): string {
  const area = parseMapArea(value);
  if (area === undefined) return value;
  const degrees = (number: number, plus: string, minus: string): string =>
    `${Math.abs(number).toFixed(1)}° ${number < 0 ? minus : plus}`;
  return t('devices.filter.areaOf', {
    south: degrees(area.south, 'N', 'S'),
    north: degrees(area.north, 'N', 'S'),
    west: degrees(area.west, 'E', 'W'),
    east: degrees(area.east, 'E', 'W'),
  });
}

const AGE = /^-(\d{1,5})([mhd])$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** "24 hr ago" for an age, the formatted time for a time. */
function momentWords(value: string, t: Translate, format: Formatters): string {
  const age = AGE.exec(value);
  if (age !== null) {
    const ageMs = Number(age[1]) * UNIT_MS[age[2] as keyof typeof UNIT_MS];
    return t('devices.filter.ago', { duration: format.duration(ageMs) });
  }
  const atMs = Date.parse(value);
  return Number.isFinite(atMs) ? format.absolute(atMs) : value;
}
