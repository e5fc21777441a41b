import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FindingCount, FindingCounts } from '@deviceportal/contract/findings';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { devicesWith } from './device-links.ts';
import { refreshMs } from '../live/refresh-policy.ts';

export function useFindingCounts(enabled: boolean) {
  const api = useApi();
  return useQuery(
    api.findings.counts.queryOptions(undefined, {
      enabled,
      refetchInterval: ({ state }) =>
        state.data?.progress === null ? refreshMs.list : refreshMs.computed,
    }),
  );
}

/** Findings of the fleet by rule, most frequent first, with links to the devices. */
export function FindingsCard({
  query,
}: {
  readonly query: ReturnType<typeof useFindingCounts>;
}): ReactNode {
  const t = useT();
  const { data } = query;
  return (
    <Container fitHeight header={<FindingsHeader data={data} />}>
      {query.error !== null && data === undefined ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : data === undefined ? null : data.rules.length === 0 ? (
        <StatusIndicator>{t('home.findings.none')}</StatusIndicator>
      ) : (
        <Bars rules={data.rules} />
      )}
      {data?.progress == null ? null : <Looking progress={data.progress} />}
    </Container>
  );
}

function FindingsHeader({ data }: { readonly data: FindingCounts | undefined }): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Header
      variant="h2"
      actions={
        data === undefined || data.devices === 0 ? null : (
          <PortalLink href={devicesWith('finding', '=', 'any')}>
            {t('home.findings.devices', {
              count: data.devices,
              devices: format.number(data.devices),
            })}
          </PortalLink>
        )
      }
    >
      {t('home.attention.title')}
    </Header>
  );
}

function Bars({ rules }: { readonly rules: readonly FindingCount[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const most = Math.max(...rules.map(({ errors, warnings }) => errors + warnings));
  const worstFirst = rules.toSorted(
    (one, other) =>
      Number(other.errors > 0) - Number(one.errors > 0) ||
      other.errors + other.warnings - one.errors - one.warnings,
  );
  return (
    <ul className="home-bars">
      {worstFirst.map(({ rule, errors, warnings }) => (
        <li key={rule}>
          <PortalLink href={devicesWith('finding', '=', rule)}>
            {t(`devices.finding.${rule}`)}
          </PortalLink>
          <span className="home-bar" aria-hidden="true">
            <Bar kind="error" count={errors} most={most} />
            <Bar kind="warning" count={warnings} most={most} />
          </span>
          <Box variant="strong" textAlign="right">
            {format.number(errors + warnings)}
          </Box>
        </li>
      ))}
    </ul>
  );
}

function Bar(props: {
  readonly kind: 'error' | 'warning';
  readonly count: number;
  readonly most: number;
}): ReactNode {
  const { kind, count, most } = props;
  if (count === 0) return null;
  return <span className={`home-bar-${kind}`} style={{ inlineSize: `${(100 * count) / most}%` }} />;
}

function Looking({ progress }: { readonly progress: number }): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Box variant="small" color="text-body-secondary" margin={{ top: 's' }}>
      <StatusIndicator type="in-progress">
        {t('home.findings.looking', { share: format.percent(progress) })}
      </StatusIndicator>
    </Box>
  );
}
