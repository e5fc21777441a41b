import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { CappedCount } from '@deviceportal/contract/pages';
import { useFormat } from '../../../i18n/format-values.ts';
import { useT } from '../../../i18n/use-t.ts';

export interface AllMatchesNoteProps {
  /** The number of rows that are selected on this page. */
  readonly selected: number;
  readonly count: CappedCount;
  readonly isAll: boolean;
  readonly onSelectAll: (all: boolean) => void;
}

/** Offers to select all matches, because the header checkbox selects only this page. */
export function AllMatchesNote(props: AllMatchesNoteProps): ReactNode {
  const { selected, count, isAll, onSelectAll } = props;
  const t = useT();
  const format = useFormat();
  const matches = `${format.number(count.count)}${count.exact ? '' : '+'}`;
  return (
    <Box variant="div" padding={{ vertical: 'xxs' }}>
      <span role="status">
        {isAll
          ? t('devices.selection.all', { matches })
          : t('devices.selection.page', { count: selected })}
      </span>{' '}
      <Button variant="inline-link" onClick={() => onSelectAll(!isAll)}>
        {isAll ? t('devices.selection.clear') : t('devices.selection.selectAll', { matches })}
      </Button>
    </Box>
  );
}
