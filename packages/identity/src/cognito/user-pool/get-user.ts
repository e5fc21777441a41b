import { requireTokenUser } from './check-access-token.ts';
import type { PoolContext } from './pool-context.ts';
import { userAttributes } from './user-attributes.ts';

export interface GetUserReply {
  readonly Username: string;
  readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[];
}

export async function getUser(context: PoolContext, accessToken: string): Promise<GetUserReply> {
  const user = await requireTokenUser(context, accessToken);
  return {
    Username: user.username,
    UserAttributes: Object.entries(userAttributes(user)).map(([Name, Value]) => ({ Name, Value })),
  };
}
