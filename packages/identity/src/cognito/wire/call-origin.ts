import type { AskedFrom } from '../../messenger.ts';
import type { WireRequest } from './wire-reply.ts';

/** Where a call came from. */
export interface CallOrigin {
  /** The client's network address, as the server determined it. */
  readonly address: string;
  /** The id of the call in the reply and in every record of it. */
  readonly requestId: string;
  /** The call as it came, for operations whose signature is checked. */
  readonly request: WireRequest;
}

/** What a reader is told of the call that made a message go out. */
export function askedFrom({ address, request }: CallOrigin): AskedFrom {
  const userAgent = request.headers['user-agent'];
  return { address, userAgent: typeof userAgent === 'string' ? userAgent : undefined };
}
