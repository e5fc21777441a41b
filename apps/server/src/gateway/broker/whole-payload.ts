import type { DownMessage } from '../device-transport.ts';

export const wholePayload = ({
  payload,
  sharedEnd = '',
}: Pick<DownMessage, 'payload'> & {
  readonly sharedEnd?: DownMessage['sharedEnd'] | undefined;
}): string => payload + sharedEnd;
