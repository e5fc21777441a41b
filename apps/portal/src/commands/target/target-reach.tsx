import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { FailureHistory, TargetPreview } from '@deviceportal/contract/command-targets';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

const NAMED_COUNTRIES = 3;
/** The failure rate from which a warning is shown. */
const WARNING_RATE = 0.1;

type Reach = Pick<
  TargetPreview,
  'people' | 'countryCount' | 'countries' | 'failures' | 'count' | 'unchecked'
>;

/** Owners and locations of the devices, and the expected failures. */
export function TargetReach({ preview }: { readonly preview: Reach }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { people, countryCount, failures, count, unchecked } = preview;
  const named = preview.countries.filter(({ country }) => country !== '').slice(0, NAMED_COUNTRIES);
  const names = named.map(({ country, count: devices }) =>
    t('commands.reach.country', { country: format.country(country), count: devices }),
  );
  const more = countryCount - named.length;
  const list = format.list(more > 0 ? [...names, t('commands.reach.more', { more })] : names);
  return (
    <SpaceBetween size="xxs">
      <Box>
        {t('commands.reach.people', { people })}
        {countryCount === 0
          ? null
          : ` · ${t('commands.reach.countries', { countries: countryCount, names: list })}`}
      </Box>
      {unchecked === 0 ? null : (
        <StatusIndicator type="warning">
          {t('commands.reach.unchecked', { count: unchecked })}
        </StatusIndicator>
      )}
      {failures === null ? (
        <Box color="text-body-secondary">{t('commands.reach.noHistory')}</Box>
      ) : (
        <PredictedFailures failures={failures} count={count} />
      )}
    </SpaceBetween>
  );
}

function PredictedFailures({
  failures,
  count,
}: {
  readonly failures: FailureHistory;
  readonly count: number;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const { predictedRate, invocations, failed, coveredDevices } = failures;
  const words = t('commands.reach.predicted', {
    share: format.percent(predictedRate),
    ...{ failed, invocations, unknown: count - coveredDevices },
  });
  if (predictedRate < WARNING_RATE) return <Box>{words}</Box>;
  return <StatusIndicator type="warning">{words}</StatusIndicator>;
}
