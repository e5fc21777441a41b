import type { SendText } from '../platform/aws/aws-package.ts';
import { awsDeliveryError } from './aws-delivery-error.ts';
import type { DeliveryChannel } from './delivery-channel.ts';

/** The number; SNS reports those that cannot be reached only in its delivery logs. */
const REFUSALS = new Set([
  'InvalidParameter',
  'InvalidParameterException',
  'InvalidParameterValue',
  'InvalidParameterValueException',
  'ValidationException',
]);

/** Text messages by Amazon SNS. */
export function createSnsChannel(send: SendText): DeliveryChannel {
  return {
    async deliver({ to, text }, handOver) {
      await handOver();
      await send({ to, text }).catch((error: unknown) => {
        throw awsDeliveryError(error, REFUSALS);
      });
    },
  };
}
