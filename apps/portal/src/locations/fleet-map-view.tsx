import Alert from '@cloudscape-design/components/alert';
import Spinner from '@cloudscape-design/components/spinner';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { FleetCanvasProps } from './fleet-canvas.tsx';
import { BasemapNote } from './basemap-note.tsx';
import { useBasemap } from './use-basemap.ts';
import './map-view.css';

const FleetCanvas = lazy(() =>
  import('./fleet-canvas.tsx').then((module) => ({ default: module.FleetCanvas })),
);

export type FleetMapViewProps = Omit<FleetCanvasProps, 'basemap' | 'onTiles'> & {
  readonly hasFailed: boolean;
};

/** The map of the map page. If it cannot be drawn, a note refers to the table. */
export function FleetMapView({ hasFailed, ...canvas }: FleetMapViewProps): ReactNode {
  const t = useT();
  const basemap = useBasemap();
  const [tilesFail, setTilesFail] = useState(false);
  if (hasFailed) return <Alert type="info">{t('locations.page.noWebGl')}</Alert>;
  const waiting = (
    <div className="dp-fleet-map dp-fleet-waiting">
      <Spinner size="large" />
    </div>
  );
  return (
    <div className="dp-map-place dp-fleet-place">
      {basemap === undefined ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          <FleetCanvas {...canvas} basemap={basemap} onTiles={setTilesFail} />
          <BasemapNote attribution={basemap.tiles?.attribution ?? ''} tilesFail={tilesFail} />
        </Suspense>
      )}
    </div>
  );
}
