import type { AskedFrom } from '../../messenger.ts';
import type { WireRequest } from './wire-reply.ts';

/** Source of a call. */
export interface CallOrigin {
  /** The client's network address, as the server determined it. */
  readonly address: string;
  /** The id of the call in the reply and in every record of it. */
  readonly requestId: string;
  /** The call as it came, for operations whose signature is checked. */
  readonly request: WireRequest;
}

/** The source of a request, as shown to the recipient of its message. */
export function askedFrom({ address, request }: CallOrigin): AskedFrom {
  const userAgent = request.headers['user-agent'];
  return { address, userAgent: typeof userAgent === 'string' ? userAgent : undefined };
}
