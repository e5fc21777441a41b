import { METRIC_SEND_SECONDS_RANGE } from '@deviceportal/contract/device-metrics';
import type { Config } from './config.ts';
import { IOT_SEND_SECONDS } from './metric-settings.ts';
import type { SettingValues } from './settings.ts';

export function chooseDeviceMetrics({
  metricSeconds,
  metricSendSeconds,
  iotPolicy,
}: SettingValues): Config['deviceMetrics'] {
  if (metricSeconds === 0) return undefined;
  const usual = iotPolicy === 'embedded' ? METRIC_SEND_SECONDS_RANGE.default : IOT_SEND_SECONDS;
  return {
    sampleSeconds: metricSeconds,
    sendSeconds: Math.max(metricSeconds, metricSendSeconds ?? usual),
  };
}
