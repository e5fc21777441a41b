import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DeviceMetrics } from '@deviceportal/contract/device-metrics';
import { useT } from '../i18n/use-t.ts';
import type { TimeSpan } from './metric-range.ts';

const HOUR_MS = 3_600_000;

interface MetricsEmptyProps {
  readonly metrics: Pick<DeviceMetrics, 'newestAt' | 'sampleSeconds'>;
  readonly onZoom: (span: TimeSpan) => void;
}

/** Why there are no metrics, and what to do. */
export function MetricsEmpty({
  metrics: { newestAt, sampleSeconds },
  onZoom,
}: MetricsEmptyProps): ReactNode {
  const t = useT();
  const isOff = sampleSeconds === null;
  const hasOther = newestAt !== null;
  const kind = hasOther ? 'range' : isOff ? 'off' : 'never';
  return (
    <Box textAlign="center" margin={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{t(`metrics.empty.${kind}`)}</Box>
        <Box color="text-body-secondary">{t(`metrics.empty.${kind}Body`)}</Box>
        {newestAt === null ? null : (
          <Button onClick={() => onZoom(around(Date.parse(newestAt)))}>
            {t('metrics.empty.show')}
          </Button>
        )}
      </SpaceBetween>
    </Box>
  );
}

const around = (atMs: number): TimeSpan => ({ fromMs: atMs - 6 * HOUR_MS, toMs: atMs + 60_000 });
