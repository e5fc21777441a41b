import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';

/** Context of every resolver. */
export interface GraphqlCall {
  readonly provider: ProviderContext;
  readonly caller: Caller;
  /** @throws ProviderError pleaseLogIn, sessionHasEnded, userIsBlocked */
  requireUser(): Promise<SignedInCaller>;
}

/** Operations by their field: arguments as they passed the schema. */
export type Resolvers = Readonly<
  Record<string, (parent: unknown, given: never, call: GraphqlCall) => Promise<unknown>>
>;
