import {
  METRIC_SECONDS_RANGE,
  METRIC_SEND_SECONDS_RANGE,
} from '@deviceportal/contract/device-metrics';
import { integer, InvalidValue, optionalInteger, type Setting } from './setting.ts';

const group = 'Limits';
/** AWS IoT Core charges for each message. */
export const IOT_SEND_SECONDS = 900;

/** What devices measure. */
export const metricSettings = {
  metricSeconds: sampleInterval(),
  metricSendSeconds: optionalInteger(
    {
      env: 'DEVICEPORTAL_METRICS_SEND_SECONDS',
      group,
      description: `Time between the messages of a device with metrics. Default: ${METRIC_SEND_SECONDS_RANGE.default}, and ${IOT_SEND_SECONDS} with AWS IoT Core.`,
    },
    METRIC_SEND_SECONDS_RANGE,
  ),
};

function sampleInterval(): Setting<number> {
  const { min, max } = METRIC_SECONDS_RANGE;
  const setting = integer(
    {
      env: 'DEVICEPORTAL_METRICS_SECONDS',
      group,
      description: `Time between two measurements of a device (CPU, memory, disk, temperature, network, and others): ${min} to ${max} seconds, or 0 to switch metrics off.`,
    },
    { ...METRIC_SECONDS_RANGE, min: 0 },
  );
  return {
    ...setting,
    parse(text) {
      const seconds = setting.parse(text);
      if (seconds === 0 || seconds >= min) return seconds;
      throw new InvalidValue(`must be 0 or an integer from ${min} to ${max}`);
    },
  };
}
