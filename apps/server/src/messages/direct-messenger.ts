import {
  MessageRefusedError,
  type MessageChannel,
  type Messenger,
} from '@deviceportal/identity/messenger';
import { newId } from '@deviceportal/contract/ids';
import { DeliveryError, type DeliveryChannel } from './delivery-channel.ts';
import { renderMessage } from './render-message.ts';

const HOUR_MS = 3_600_000;

/** Sends in one attempt without storing anything: for functions without a database. */
export function createDirectMessenger(
  channels: Readonly<Partial<Record<MessageChannel, DeliveryChannel>>>,
): Messenger {
  return {
    async send(message) {
      const way = channels[message.channel];
      if (way === undefined) {
        throw new Error(`No gateway for messages by ${message.channel} is configured.`);
      }
      const expiresAt =
        message.kind === 'code' ? message.expiresAt : new Date(Date.now() + HOUR_MS);
      const delivery = { ...renderMessage(message), id: newId(), to: message.to, expiresAt };
      await way
        .deliver(delivery, async () => {})
        .catch((error: unknown) => {
          const isRefused = error instanceof DeliveryError && error.failure === 'refused';
          throw isRefused ? new MessageRefusedError(error.message) : error;
        });
    },
  };
}
