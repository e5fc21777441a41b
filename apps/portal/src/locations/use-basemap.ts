import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { loadConfig } from '../session/load-config.ts';
import type { BasemapOptions } from './basemap.ts';

/** The options of the basemap in the viewer’s language. Undefined until the settings are loaded. */
export function useBasemap(): BasemapOptions | undefined {
  const config = useQuery({ queryKey: ['browser-config'], queryFn: loadConfig });
  const { country } = useFormat();
  return useMemo(() => {
    if (config.data === undefined) return undefined;
    const { supportedCountries, map } = config.data;
    return { ...map, supportedCountries, nameOf: country };
  }, [config.data, country]);
}
