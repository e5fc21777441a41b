import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';
import { Suspense, lazy, useEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { BasemapNote } from './basemap-note.tsx';
import type { MapContent } from './map-shapes.ts';
import { useBasemap } from './use-basemap.ts';
import './map-view.css';

const MapCanvas = lazy(() =>
  import('./map-canvas.tsx').then((module) => ({ default: module.MapCanvas })),
);

export interface MapViewProps {
  readonly label: string;
  /** Must be a stable object while nothing changes. */
  readonly content: MapContent;
  readonly heightPx?: number;
  readonly onChoose?: ((pointId: string) => void) | undefined;
}

/**
 * A map that is loaded when it scrolls into view. If it cannot be drawn, a note refers to the table
 * next to it.
 */
export function MapView({ label, content, heightPx = 320, onChoose }: MapViewProps): ReactNode {
  const t = useT();
  const [seen, setSeen] = useState(false);
  const [failed, setFailed] = useState(false);
  const [tilesFail, setTilesFail] = useState(false);
  const basemap = useBasemap();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null || seen) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [seen]);
  if (failed) {
    return <Box color="text-body-secondary">{t('locations.map.unavailable')}</Box>;
  }
  const waiting = (
    <Box textAlign="center" padding="l">
      <Spinner />
    </Box>
  );
  return (
    <div ref={element} className="dp-map-place" style={{ minHeight: heightPx }}>
      {seen && basemap !== undefined ? (
        <Suspense fallback={waiting}>
          <MapCanvas
            label={label}
            content={content}
            basemap={basemap}
            heightPx={heightPx}
            onChoose={onChoose}
            onFailed={() => setFailed(true)}
            onTiles={setTilesFail}
          />
          <BasemapNote attribution={basemap.tiles?.attribution ?? ''} tilesFail={tilesFail} />
        </Suspense>
      ) : null}
    </div>
  );
}
