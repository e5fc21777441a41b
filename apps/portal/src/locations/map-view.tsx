import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';
import { Suspense, lazy, useEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { MapContent } from './map-shapes.ts';
import './map-view.css';

const MapCanvas = lazy(() =>
  import('./map-canvas.tsx').then((module) => ({ default: module.MapCanvas })),
);

export interface MapViewProps {
  readonly label: string;
  /** Keep it the same object while nothing changes. */
  readonly content: MapContent;
  readonly heightPx?: number;
  readonly onChoose?: ((pointId: string) => void) | undefined;
}

/** A map that loads when it is scrolled into view; where it cannot be drawn it says so, and the table beside it serves. */
export function MapView({ label, content, heightPx = 320, onChoose }: MapViewProps): ReactNode {
  const t = useT();
  const [seen, setSeen] = useState(false);
  const [failed, setFailed] = useState(false);
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
      {seen ? (
        <Suspense fallback={waiting}>
          <MapCanvas
            label={label}
            content={content}
            heightPx={heightPx}
            onChoose={onChoose}
            onFailed={() => setFailed(true)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
