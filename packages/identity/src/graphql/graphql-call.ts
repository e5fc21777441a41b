import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';

/** What every resolver is given. */
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
