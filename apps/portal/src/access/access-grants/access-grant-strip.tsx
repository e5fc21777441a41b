import { lazy, Suspense, type ReactNode } from 'react';
import { loadAllWords } from '../../i18n/language-store.ts';
import { useViewer } from '../../session/viewer-context.tsx';

const AccessGrantBar = lazy(async () => {
  const [module] = await Promise.all([import('./access-grant-bar.tsx'), loadAllWords()]);
  return { default: module.AccessGrantBar };
});

/**
 * Space below the top bar for the access grant bar, reserved from the first paint to prevent a
 * layout shift.
 */
export function AccessGrantStrip(): ReactNode {
  const { accessGrants } = useViewer().detail;
  if (accessGrants.length === 0) return null;
  const place = <div className="dp-case-place" />;
  return (
    <Suspense fallback={place}>
      {accessGrants.map((accessGrant) => (
        <AccessGrantBar key={accessGrant.id} accessGrant={accessGrant} />
      ))}
    </Suspense>
  );
}
