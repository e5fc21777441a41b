import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { loadConfig } from '../session/load-config.ts';
import type { BasemapOptions } from './basemap.ts';

/** What maps are drawn on here, in the reader's language; undefined until the portal's settings are there. */
export function useBasemap(): BasemapOptions | undefined {
  const config = useQuery({ queryKey: ['browser-config'], queryFn: loadConfig });
  const { country } = useFormat();
  return useMemo(() => {
    if (config.data === undefined) return undefined;
    const { supportedCountries, map } = config.data;
    return { ...map, supportedCountries, nameOf: country };
  }, [config.data, country]);
}
