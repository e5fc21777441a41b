import type { ParameterStoreConfig } from '../config/config.ts';
import { createFileParameters } from './file-parameters.ts';
import type { ParameterPort } from './parameter-port.ts';
import { openSsmParameters } from './ssm-parameters.ts';

/** Opens the configured store. */
export async function openParameters(config: ParameterStoreConfig): Promise<ParameterPort> {
  return config.kind === 'file' ? createFileParameters(config.path) : openSsmParameters(config);
}
