import { nameSchema } from '@deviceportal/contract/name-schema';
import { z } from 'zod';
import { saveAppClient } from '../cognito/user-pool/app-client-store.ts';
import type { PoolContext } from '../cognito/user-pool/pool-context.ts';
import { parseInput } from './parse-input.ts';

const FLOWS = ['CUSTOM_AUTH', 'REFRESH_TOKEN_AUTH'] as const;

const newClientSchema = z.object({
  clientId: z.string().regex(/^[\w+]{1,128}$/),
  name: nameSchema({ max: 128 }),
  /** For applications that can keep a secret; SECRET_HASH is then required. */
  secret: z.string().min(24).max(64).optional(),
  /** Default: all. Rotation excludes `REFRESH_TOKEN_AUTH`, which then is left out. */
  authFlows: z.array(z.enum(FLOWS)).default([...FLOWS]),
  userExistenceErrors: z.enum(['LEGACY', 'ENABLED']).default('LEGACY'),
  refreshTokenRotation: z.boolean().default(false),
  retryGracePeriodSeconds: z.number().int().min(0).max(60).default(0),
  tokenRevocation: z.boolean().default(true),
});

export type NewClient = z.input<typeof newClientSchema>;

/** Administration of applications that can use the user pool. */
export interface ClientAdministration {
  /** Makes a client, or gives an existing one these values. Wrong input is PortalError 2004 with the fields. */
  saveClient(input: NewClient): Promise<void>;
}

export function createClientAdministration(
  context: Pick<PoolContext, 'pool' | 'clock' | 'box'>,
): ClientAdministration {
  return {
    async saveClient(input) {
      const { secret, ...client } = parseInput(newClientSchema, input);
      await saveAppClient(
        context.pool,
        {
          ...client,
          authFlows: client.authFlows.filter(
            (flow) => flow === 'CUSTOM_AUTH' || !client.refreshTokenRotation,
          ),
          secretBox: secret === undefined ? null : context.box.seal(secret, client.clientId),
        },
        new Date(context.clock.now()),
      );
    },
  };
}
