import type { ParameterStoreOptions } from '@deviceportal/aws/parameter-store';
import { ParameterStoreError, type ParameterPort } from './parameter-port.ts';

/**
 * Parameters of AWS Systems Manager. The client is loaded at the first use, because most
 * installations never use it.
 */
export function createSsmParameters(options: ParameterStoreOptions): ParameterPort {
  const connect = async () => {
    const { createParameterStore } = await import('@deviceportal/aws/parameter-store');
    return createParameterStore(options);
  };
  let reader: ReturnType<typeof connect> | undefined;
  return {
    async read(wanted) {
      reader ??= connect();
      const names = wanted.map(({ name, version }) => (version ? `${name}:${version}` : name));
      try {
        return await (
          await reader
        )([...new Set(names)]);
      } catch (error) {
        const name = error instanceof Error ? error.name : 'nothing';
        throw new ParameterStoreError(`SSM answered ${name}`);
      }
    },
  };
}
