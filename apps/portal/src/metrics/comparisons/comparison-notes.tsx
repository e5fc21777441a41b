import type { ReactNode } from 'react';
import { LEAST_BAND_DEVICES, type ModelBand } from '@deviceportal/contract/model-band';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import type { ComparisonChoice } from './comparison-controls.tsx';
import type { Comparisons } from './use-comparisons.ts';

interface ComparisonNotesProps {
  readonly choice: ComparisonChoice;
  readonly comparisons: Pick<Comparisons, 'band' | 'other'>;
}

/** What is drawn next to the device's own line, or why nothing is. */
export function ComparisonNotes({
  choice,
  comparisons: { band, other },
}: ComparisonNotesProps): ReactNode {
  const t = useT();
  return (
    <>
      {!choice.model ? null : band.isError ? (
        <ErrorView error={band.error} place="alert" onRetry={() => void band.refetch()} />
      ) : (
        <p className="dp-metric-note" role="status">
          {band.data === undefined ? t('metrics.model.loading') : bandNote(band.data, t)}
        </p>
      )}
      {choice.with === '' ? null : other.isError ? (
        <ErrorView error={other.error} place="alert" onRetry={() => void other.refetch()} />
      ) : (
        <p className="dp-metric-note" role="status">
          {other.data?.series.length === 0
            ? t('metrics.similar.nothing', { device: choice.with })
            : t('metrics.similar.note', { device: choice.with })}
        </p>
      )}
    </>
  );
}

function bandNote({ model, devices, series }: ModelBand, t: Translate): string {
  if (model === null) return t('metrics.model.unknown');
  if (series.length === 0)
    return t('metrics.model.tooFew', { model, devices, least: LEAST_BAND_DEVICES });
  return t('metrics.model.note', { model, devices });
}
