import type { ParameterStoreConfig } from '../config/config.ts';
import { createFileParameters } from './file-parameters.ts';
import type { ParameterPort } from './parameter-port.ts';
import { createSsmParameters } from './ssm-parameters.ts';

/** Opens the configured store. */
export function openParameters(config: ParameterStoreConfig): ParameterPort {
  return config.kind === 'file' ? createFileParameters(config.path) : createSsmParameters(config);
}
