import { Suspense, lazy, useDeferredValue, useMemo } from 'react';
import { loadAllWords } from '../../i18n/language-store.ts';
import { useSplitPanel } from '../../ui/page-slots.tsx';

const SummarySplitPanel = lazy(async () => {
  // Events use the texts of the audit trail.
  const [module] = await Promise.all([import('./summary-split-panel.tsx'), loadAllWords()]);
  return { default: module.SummarySplitPanel };
});

/**
 * The selected device in the split panel. The content is deferred, so that the selection renders
 * first.
 */
export function useSummaryPanel(
  deviceId: string,
  title: string,
  onToggle: (open: boolean) => void,
): void {
  const shown = useDeferredValue(deviceId);
  const panel = useMemo(
    () =>
      shown === '' ? null : (
        <Suspense>
          <SummarySplitPanel deviceId={shown} title={title} />
        </Suspense>
      ),
    [shown, title],
  );
  useSplitPanel({ panel, open: deviceId !== '', onToggle });
}
