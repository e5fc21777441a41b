import type { SendMail } from '../platform/aws/aws-package.ts';
import { awsDeliveryError } from './aws-delivery-error.ts';
import { composeMail } from './compose-mail.ts';
import type { DeliveryChannel } from './delivery-channel.ts';

/** The recipient or the content; SES reports all other addresses later, as bounces. */
const REFUSALS = new Set(['BadRequestException', 'MessageRejected']);

export interface SesChannelOptions {
  readonly from: string;
  readonly send: SendMail;
}

/** Emails by Amazon SES. */
export function createSesChannel({ from, send }: SesChannelOptions): DeliveryChannel {
  return {
    async deliver(delivery, handOver) {
      const mail = await composeMail(delivery, from).build();
      await handOver();
      await send({ from, to: delivery.to, mail }).catch((error: unknown) => {
        throw awsDeliveryError(error, REFUSALS);
      });
    },
  };
}
