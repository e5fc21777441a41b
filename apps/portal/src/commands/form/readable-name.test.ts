import { expect, it } from 'vitest';
import { readableName } from './readable-name.ts';

it.each([
  ['dryRun', 'Dry run'],
  ['log_level', 'Log level'],
  ['target-host', 'Target host'],
  ['AWSRegion', 'AWS region'],
  ['deviceId', 'Device ID'],
  ['proxyURL', 'Proxy URL'],
  ['wifiSsid', 'Wifi SSID'],
  ['retries', 'Retries'],
  ['log.file2', 'Log file2'],
  ['_', '_'],
])('%s reads “%s”', (name, words) => {
  expect(readableName(name)).toBe(words);
});
