import { devicePolicyDocument } from '../../gateway/iot/device-policy.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Shows the policy of device certificates for AWS IoT in the region of the configuration. */
export const showIotPolicy: AdminWork = {
  usage: 'ACCOUNT',
  words: [1],
  async run({ config: { region } }, [account = '']) {
    if (!/^\d{12}$/.test(account))
      throw new StartError('ACCOUNT must be an account ID of 12 digits.');
    const document = devicePolicyDocument({ partition: partitionOf(region), region, account });
    return JSON.stringify(document, undefined, 2);
  },
};

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
