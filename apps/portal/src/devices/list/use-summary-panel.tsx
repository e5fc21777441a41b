import { Suspense, lazy, useDeferredValue, useMemo } from 'react';
import { loadAllWords } from '../../i18n/language-store.ts';
import { useSplitPanel } from '../../ui/page-slots.tsx';

const SummarySplitPanel = lazy(async () => {
  // Its events are told in the words of the audit trail.
  const [module] = await Promise.all([import('./summary-split-panel.tsx'), loadAllWords()]);
  return { default: module.SummarySplitPanel };
});

/** The chosen device beside the list. Its content waits, so that the press that chose it shows first. */
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
