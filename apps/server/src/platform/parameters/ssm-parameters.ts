import type { AwsOptions } from '../aws/aws-package.ts';
import { loadAws } from '../aws/load-aws.ts';
import { ParameterStoreError, type ParameterPort } from './parameter-port.ts';

/**
 * Parameters of AWS Systems Manager.
 * @throws StartError if the package of its client is not installed
 */
export async function openSsmParameters(options: AwsOptions): Promise<ParameterPort> {
  const { createParameterStore } = await loadAws('parameter-store', 'DEVICEPORTAL_PARAMETER_STORE');
  const read = createParameterStore(options);
  return {
    async read(wanted) {
      const names = wanted.map(({ name, version }) => (version ? `${name}:${version}` : name));
      try {
        return await read([...new Set(names)]);
      } catch (error) {
        const name = error instanceof Error ? error.name : 'nothing';
        throw new ParameterStoreError(`SSM answered ${name}`);
      }
    },
  };
}
