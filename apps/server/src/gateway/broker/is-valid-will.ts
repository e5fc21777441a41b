import { WILL_LIMIT_BYTES } from '@deviceportal/contract/device-limits';
import { mayPublish, type BrokerIdentity } from './broker-policy.ts';

/**
 * Checks the topic and payload of a will when its client connects: it is published on its topic when the connection
 * is lost.
 */
export function isValidWill(client: object, identity: BrokerIdentity): boolean {
  const { _will: will } = client as {
    readonly _will?: { readonly topic: string; readonly payload: string | Buffer };
  };
  if (!will) return true;
  return will.payload.length <= WILL_LIMIT_BYTES && mayPublish(identity, will.topic);
}
