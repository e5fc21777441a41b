import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useBasemap } from './use-basemap.ts';
import { StatusOf } from '../ui/status-of.tsx';

/** The meaning of rings and marks. */
export function MapLegend(): ReactNode {
  const t = useT();
  const basemap = useBasemap();
  return (
    <div className="dp-map-legend">
      <span>{t('locations.page.legend')}</span>
      {(['online', 'degraded', 'unknown', 'offline', 'never'] as const).map((state) => (
        <span key={state} className="dp-map-legend-item">
          <span className={`dp-map-swatch dp-map-swatch-${state}`} aria-hidden="true" />
          <StatusOf kind="connectivity" value={state} />
        </span>
      ))}
      <span className="dp-map-legend-item">
        <span className="dp-map-mark" aria-hidden="true">
          ▲
        </span>
        {t('locations.page.outsideMark')}
      </span>
      {basemap?.borders === true && basemap.supportedCountries.length > 0 ? (
        <>
          <span className="dp-map-legend-item">
            <span className="dp-map-land dp-map-land-supported" aria-hidden="true" />
            {t('locations.page.supportedLand')}
          </span>
          <span className="dp-map-legend-item">
            <span className="dp-map-land dp-map-land-outside" aria-hidden="true" />
            {t('locations.page.outsideLand')}
          </span>
        </>
      ) : null}
    </div>
  );
}
