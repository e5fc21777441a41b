import { tellOfChange } from '../own-account/tell-of-change.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { success } from '../provider/wire/envelope.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { requireUserOf } from '../provider/wire/require-user.ts';
import {
  countIdentities,
  deleteIdentities,
  hasIdentityOfSameConnection,
  lockActiveUsers,
  moveIdentities,
} from './identity-move-store.ts';

const linkRefusals = {
  sameAccount: {
    code: 2901,
    en: 'Both tokens belong to the same account',
    zh: '不能绑定同一个账号',
  },
  nothingToLink: {
    code: 2902,
    en: 'The second account has no external account to link',
    zh: '次账号没有可绑定的外部身份源',
  },
  linkedAlready: {
    code: 2903,
    en: 'The account is already linked to another account of this provider',
    zh: '主账号已绑定该身份源',
  },
  notLinked: { code: 2904, en: 'No account of this provider is linked', zh: '未绑定该身份源' },
  lastWayIn: {
    code: 2905,
    en: 'This is the only way to sign in to this account. Set a password first.',
    zh: '解绑后将无法登录，请先设置密码',
  },
} as const satisfies Record<string, Refusal>;

const token = z.string().min(1).max(8_192);
const linkSchema = z.object({ primaryUserToken: token, secondaryUserToken: token });
const unlinkSchema = z.object({
  primaryUserToken: token,
  provider: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\0]*$/),
});

/** `/api/v2/users/link` and `unlink`: accounts elsewhere of a second account become those of a first one. */
export function registerLinkRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { db, users, tokens, signIns } = context;
  app.post('/api/v2/users/link', async (request) => {
    const body = linkSchema.parse(request.body);
    const caller = await callerOf(context, request);
    const primary = await requireUserOf(context, { ...caller, token: body.primaryUserToken });
    const secondary = await requireUserOf(context, { ...caller, token: body.secondaryUserToken });
    if (primary.user.id === secondary.user.id) throw new ProviderError(linkRefusals.sameAccount);
    const move = { from: secondary.user.id, to: primary.user.id };
    await inTransaction(db, async (client) => {
      // Between the check of the tokens and this lock another call may have put one of them away.
      if ((await lockActiveUsers(client, [move.from, move.to])) < 2) {
        throw new ProviderError(refusals.sessionHasEnded);
      }
      if (await hasIdentityOfSameConnection(client, move)) {
        throw new ProviderError(linkRefusals.linkedAlready);
      }
      if ((await moveIdentities(client, move)) === 0) {
        throw new ProviderError(linkRefusals.nothingToLink);
      }
      // An account without any sign-in method is deactivated, and its sessions end.
      if (!canSignInWithout(secondary.user)) {
        await users.update(move.from, { status: 'Archived' }, client);
        await tokens.endSessionsOf(move.from, undefined, client);
      }
      const { user: lost } = secondary;
      await signIns.writeChange(client, primary.user, caller, 'an external account was linked');
      await signIns.writeChange(
        client,
        lost,
        caller,
        'its external accounts were linked to another account',
      );
    });
    await tellOfChange(context, { what: 'account-linked', before: primary.user }, caller);
    await tellOfChange(context, { what: 'account-unlinked', before: secondary.user }, caller);
    return success(undefined, caller.language === 'zh-CN' ? '绑定成功' : 'link succeeded');
  });
  app.post('/api/v2/users/unlink', async (request) => {
    const { primaryUserToken, provider } = unlinkSchema.parse(request.body);
    const caller = await callerOf(context, request);
    const { user } = await requireUserOf(context, { ...caller, token: primaryUserToken });
    await inTransaction(db, async (client) => {
      await lockActiveUsers(client, [user.id]);
      if ((await deleteIdentities(client, user.id, provider)) === 0) {
        throw new ProviderError(linkRefusals.notLinked);
      }
      const left = await countIdentities(client, user.id);
      if (left === 0 && !canSignInWithout(user)) throw new ProviderError(linkRefusals.lastWayIn);
      await signIns.writeChange(client, user, caller, 'an external account was unlinked');
    });
    await tellOfChange(context, { what: 'account-unlinked', before: user }, caller);
    return success(undefined, caller.language === 'zh-CN' ? '解绑成功' : 'unlink succeeded');
  });
}

/** Whether the user can sign in without external accounts. */
function canSignInWithout(user: ProviderUser): boolean {
  return user.passwordHash !== null || user.emailVerified || user.phoneVerified;
}
