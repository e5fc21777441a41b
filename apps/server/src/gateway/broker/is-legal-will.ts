import { WILL_LIMIT_BYTES } from '@deviceportal/contract/device-limits';
import { mayPublish, type BrokerIdentity } from './broker-policy.ts';

/** A will is kept as long as its connection, and published on its topic when that is lost: both are looked at first. */
export function isLegalWill(client: object, identity: BrokerIdentity): boolean {
  const { _will: will } = client as {
    readonly _will?: { readonly topic: string; readonly payload: string | Buffer };
  };
  if (!will) return true;
  return will.payload.length <= WILL_LIMIT_BYTES && mayPublish(identity, will.topic);
}
