import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { StatusOf } from '../shell/status-of.tsx';

/** What rings and marks mean. */
export function MapLegend(): ReactNode {
  const t = useT();
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
    </div>
  );
}
