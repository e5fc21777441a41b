import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

export interface IncompleteNoteProps {
  /** The sort value up to which the search is complete. */
  readonly searchedTo: string | null;
  readonly sort: string;
  readonly busy: boolean;
  readonly onFurther: () => void;
}

/** States that the search stopped before the end, with a button to continue. */
export function IncompleteNote({
  searchedTo,
  sort,
  busy,
  onFurther,
}: IncompleteNoteProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const atMs = searchedTo === null || sort !== 'lastSeen' ? Number.NaN : Date.parse(searchedTo);
  const words = Number.isFinite(atMs) ? format.absolute(atMs) : (searchedTo ?? 'none');
  return (
    <Box textAlign="center" padding="s">
      <SpaceBetween size="xs" direction="horizontal" alignItems="center">
        <StatusIndicator type="info">
          {t('devices.list.searchedTo', { value: words })}
        </StatusIndicator>
        <Button onClick={onFurther} loading={busy}>
          {t('devices.list.searchFurther')}
        </Button>
      </SpaceBetween>
    </Box>
  );
}
