import Alert from '@cloudscape-design/components/alert';
import Spinner from '@cloudscape-design/components/spinner';
import { Suspense, lazy, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { FleetCanvasProps } from './fleet-canvas.tsx';
import './map-view.css';

const FleetCanvas = lazy(() =>
  import('./fleet-canvas.tsx').then((module) => ({ default: module.FleetCanvas })),
);

/** The map of the map page; where it cannot be drawn it says so, and the table serves. */
export function FleetMapView({
  hasFailed,
  ...canvas
}: FleetCanvasProps & { readonly hasFailed: boolean }): ReactNode {
  const t = useT();
  if (hasFailed) return <Alert type="info">{t('locations.page.noWebGl')}</Alert>;
  return (
    <div className="dp-map-place dp-fleet-place">
      <Suspense
        fallback={
          <div className="dp-fleet-map dp-fleet-waiting">
            <Spinner size="large" />
          </div>
        }
      >
        <FleetCanvas {...canvas} />
      </Suspense>
    </div>
  );
}
