import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TextFilter from '@cloudscape-design/components/text-filter';
import type { ReactNode } from 'react';
import { lineShows, type LineShow } from '@deviceportal/contract/access-reviews';
import { useT } from '../../i18n/use-t.ts';

/** Which lines of a review are shown. */
export function LinesFilter({
  show,
  text,
  onChange,
}: {
  readonly show: LineShow;
  readonly text: string;
  readonly onChange: (part: { readonly show?: LineShow; readonly q?: string }) => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="end">
      <SegmentedControl
        label={t('access.review.show')}
        selectedId={show}
        options={lineShows.map((id) => ({ id, text: t(`access.review.show.${id}`) }))}
        onChange={({ detail }) =>
          onChange({ show: lineShows.find((each) => each === detail.selectedId) ?? 'undecided' })
        }
      />
      <TextFilter
        filteringText={text}
        filteringPlaceholder={t('access.review.find')}
        filteringAriaLabel={t('access.review.find')}
        onChange={({ detail }) => onChange({ q: detail.filteringText.slice(0, 200) })}
      />
    </SpaceBetween>
  );
}
