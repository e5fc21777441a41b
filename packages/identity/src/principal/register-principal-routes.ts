import { newId } from '@deviceportal/contract/ids';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { inTransaction } from '../database/in-transaction.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { success } from '../provider/wire/envelope.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { requireUser } from '../provider/wire/require-user.ts';
import { findPrincipal, insertPrincipal, type StoredPrincipal } from './principal-store.ts';

const principalRefusals = {
  alreadyAuthenticated: {
    code: 2801,
    en: 'Your real name is already verified',
    zh: '已完成实名认证',
  },
  wrongIdCard: { code: 2802, en: 'Invalid ID card number', zh: '身份证号不正确' },
  wrongBankCard: { code: 2803, en: 'Invalid bank card number', zh: '银行卡号不正确' },
  wrongEnterpriseCode: {
    code: 2804,
    en: 'Invalid unified social credit code',
    zh: '统一社会信用代码不正确',
  },
  belongsToAnother: {
    code: 2805,
    en: 'This number belongs to another account',
    zh: '该证件已用于其他账号的认证',
  },
  notConfigured: {
    code: 2806,
    en: 'real-name authentication is not installed',
    zh: '未配置实名认证服务',
  },
} as const satisfies Record<string, Refusal>;

const name = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[^\0]*$/);
const number = z
  .string()
  .max(64)
  .transform((text) => text.replaceAll(/\s/g, '').toUpperCase());
const proofSchema = z.object({ type: z.enum(['P', 'E']), name, idCard: number, ext: name });

const PATH = '/api/v2/users/principal_authentication';
const ATTEMPTS: RateLimitRule = { name: 'provider-principal', hits: 10, windowMs: 3_600_000 };

const refusalsOfNumbers = {
  idCard: principalRefusals.wrongIdCard,
  bankCard: principalRefusals.wrongBankCard,
  enterpriseCode: principalRefusals.wrongEnterpriseCode,
} as const;

/** Real names. A number belongs to one account; it is checked by the optional `@deviceportal/identity-real-name`. */
export function registerPrincipalRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { db, clock, hash, box, limits } = context;
  app.get(PATH, async (request) => {
    const { user } = await requireUser(context, request);
    const principal = await findPrincipal(db, user.id);
    return success(principal === undefined ? null : toWirePrincipal(principal));
  });
  app.post(PATH, async (request) => {
    const caller = await requireUser(context, request);
    const { user } = caller;
    const { findWrongNumber } = context.plugIns;
    if (findWrongNumber === undefined) throw new ProviderError(principalRefusals.notConfigured);
    const proof = proofSchema.parse(request.body);
    const waitMs = await limits.hit(ATTEMPTS, user.id);
    if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
    const wrong = await findWrongNumber(proof);
    if (wrong !== undefined) throw new ProviderError(refusalsOfNumbers[wrong]);
    if ((await findPrincipal(db, user.id)) !== undefined) {
      throw new ProviderError(principalRefusals.alreadyAuthenticated);
    }
    const id = newId();
    await inTransaction(db, async (client) => {
      const isNew = await insertPrincipal(client, {
        ...{ id, userId: user.id, userPoolId: user.userPoolId, type: proof.type, name: proof.name },
        maskedCode: masked(proof.idCard),
        codeHash: hash('provider-principal', user.userPoolId, proof.type, proof.idCard),
        proofBox: box.seal(JSON.stringify(proof), `principal ${id}`),
        createdAt: new Date(clock.now()),
      });
      if (!isNew) throw new ProviderError(principalRefusals.belongsToAnother);
      await context.signIns.writeChange(client, user, caller, 'the real name was authenticated');
    });
    return success(true);
  });
}

/** The region, which is no secret, and the length. */
function masked(code: string): string {
  return code.slice(0, 3) + '*'.repeat(code.length - 3);
}

function toWirePrincipal(principal: StoredPrincipal): object {
  const at = principal.createdAt.toISOString();
  return {
    id: principal.id,
    principalType: principal.type,
    principalName: principal.name,
    principalCode: principal.maskedCode,
    authenticationTime: at,
    userId: principal.userId,
    userPoolId: principal.userPoolId,
    createdAt: at,
    updatedAt: at,
  };
}
