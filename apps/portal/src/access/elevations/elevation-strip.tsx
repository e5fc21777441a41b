import { lazy, Suspense, type ReactNode } from 'react';
import { loadAllWords } from '../../i18n/language-store.ts';
import { useViewer } from '../../session/viewer-context.tsx';

const ElevationBar = lazy(async () => {
  const [module] = await Promise.all([import('./elevation-bar.tsx'), loadAllWords()]);
  return { default: module.ElevationBar };
});

/** Under the top bar while the viewer has temporary access: its place is there from the first paint on. */
export function ElevationStrip(): ReactNode {
  const { elevations } = useViewer().detail;
  if (elevations.length === 0) return null;
  const place = <div className="dp-case-place" />;
  return (
    <Suspense fallback={place}>
      {elevations.map((elevation) => (
        <ElevationBar key={elevation.id} elevation={elevation} />
      ))}
    </Suspense>
  );
}
