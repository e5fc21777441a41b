import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';

export interface EmptyWords {
  readonly title: string;
  /** How to add the first item. */
  readonly body?: ReactNode;
  readonly action?: ReactNode;
}

/** The empty state, which differs between “none exist” and “no matches”. */
export function TableEmpty({
  words,
  onClearFilter,
}: {
  readonly words: EmptyWords;
  readonly onClearFilter?: (() => void) | undefined;
}): ReactNode {
  const t = useT();
  if (onClearFilter !== undefined) {
    return (
      <Box textAlign="center" margin={{ vertical: 's' }}>
        <SpaceBetween size="s">
          <Box variant="strong">{t('app.table.noMatch')}</Box>
          <Box color="text-body-secondary">{t('app.table.noMatchBody')}</Box>
          <Button onClick={onClearFilter}>{t('app.table.clearFilter')}</Button>
        </SpaceBetween>
      </Box>
    );
  }
  return (
    <Box textAlign="center" margin={{ vertical: 's' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{words.title}</Box>
        {words.body === undefined ? null : <Box color="text-body-secondary">{words.body}</Box>}
        {words.action}
      </SpaceBetween>
    </Box>
  );
}
