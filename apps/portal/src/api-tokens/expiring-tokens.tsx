import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import { API_TOKEN_WARN_DAYS, type ApiTokenRow } from '@deviceportal/contract/api-tokens';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useServerNow } from '../ui/time/server-clock.ts';

const DAY_MS = 86_400_000;

/** Warns of active tokens that expire within a week. */
export function ExpiringTokens({ tokens }: { readonly tokens: readonly ApiTokenRow[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const before = useServerNow() + API_TOKEN_WARN_DAYS * DAY_MS;
  const ending = tokens.filter(
    ({ state, expiresAt }) => state === 'active' && Date.parse(expiresAt) < before,
  );
  if (ending.length === 0) return null;
  return (
    <Alert type="warning" header={t('apiTokens.expiring', { days: API_TOKEN_WARN_DAYS })}>
      {t('apiTokens.expiringHint', { names: format.list(ending.map(({ name }) => name)) })}
    </Alert>
  );
}
