import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import { useT } from '../../../i18n/use-t.ts';
import { encodeFilter, type FilterQueryToken } from '../../../ui/filter-codec.ts';

/** Lists the ignored parts of an address, because an outdated or mistyped link is not an error. */
export function DroppedTokensNote({
  tokens,
}: {
  readonly tokens: readonly FilterQueryToken[];
}): ReactNode {
  const t = useT();
  if (tokens.length === 0) return null;
  return (
    <Alert type="info">
      {t('devices.filter.dropped', { tokens: encodeFilter({ tokens, operation: 'and' }) })}
    </Alert>
  );
}
