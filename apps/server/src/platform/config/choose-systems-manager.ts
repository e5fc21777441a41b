import { regionOfQueue } from './choose-source.ts';
import type { SystemsManagerConfig } from './config.ts';
import { readS3Location } from './file-location.ts';
import type { SettingValues } from './settings.ts';

/** Undefined if only devices with the agent run commands. */
export function chooseSystemsManager(values: SettingValues): SystemsManagerConfig | undefined {
  if (values.runCommand === 'off') return undefined;
  const { region, runCommandQueue: url, runCommandEndpoint: endpoint } = values;
  return {
    region,
    endpoint,
    tags: values.runCommandTags,
    labels: values.runCommandLabels,
    queue: url === undefined ? undefined : { url, region: regionOfQueue(url) ?? region },
    output:
      values.runCommandOutput === undefined ? undefined : readS3Location(values.runCommandOutput),
  };
}
