import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { exportJWK, SignJWT, type JWTPayload } from 'jose';
import type pg from 'pg';
import { createTestDatabase } from '../../../../apps/server/tests/support/database/create-test-database.ts';
import { createIdentityService, type IdentityService } from '../../src/cognito/identity-service.ts';
import type { OutgoingMessage } from '../../src/messenger.ts';
import { migrateIdentity } from '../../src/migrate-identity.ts';
import { createProvider, type Provider } from '../../src/provider/provider.ts';
import { createKeySeal } from '../../src/secrets/key-seal.ts';
import { createSecretBox, type SecretBox } from '../../src/secrets/secret-box.ts';
import { createSecretHash, type SecretHash } from '../../src/secrets/secret-hash.ts';

export const ISSUER = 'http://localhost:8080/identity/us-east-1_DevicePortal';
export const BASE_URL = 'http://localhost:8080/idp';

/** A database whose tables are those of an earlier release, with what an installation of that release had in it. */
export class EarlierInstallation implements AsyncDisposable {
  readonly pool: pg.Pool;
  readonly sealingKey = randomBytes(32);
  readonly messages: OutgoingMessage[] = [];
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly #resources: AsyncDisposableStack;
  readonly #secrets = { pepper: randomBytes(32), encryption: randomBytes(32) };

  private constructor(pool: pg.Pool, resources: AsyncDisposableStack) {
    this.pool = pool;
    this.#resources = resources;
    this.hash = createSecretHash(this.#secrets.pepper);
    this.box = createSecretBox(this.#secrets.encryption);
  }

  static async open(release: string): Promise<EarlierInstallation> {
    await using resources = new AsyncDisposableStack();
    const { database } = resources.use(await createTestDatabase({ empty: true }));
    const made = new EarlierInstallation(database.pool, resources.move());
    await migrateIdentity(made.pool, release);
    await made.#insertServiceKeys();
    return made;
  }

  async #insertServiceKeys(): Promise<void> {
    const seal = createKeySeal(this.sealingKey);
    for (const [purpose, secret] of Object.entries(this.#secrets)) {
      const { box, keyId } = seal.seal(secret.toString('base64'), purpose);
      await this.pool.query(
        `insert into identity.service_key (purpose, sealed_secret, sealing_key_id, created_at)
         values ($1, $2, $3, now())`,
        [purpose, box, keyId],
      );
    }
  }

  /** Brings it to this release, and starts both services on it. */
  async upgrade(): Promise<{ readonly service: IdentityService; readonly provider: Provider }> {
    await migrateIdentity(this.pool);
    const messenger = { send: async (message: OutgoingMessage) => void this.messages.push(message) };
    const parts = { pool: this.pool, sealingKey: this.sealingKey, messenger };
    const service = await createIdentityService({ ...parts, settings: { issuer: ISSUER } });
    const provider = await createProvider({
      ...parts,
      settings: {
        baseUrl: BASE_URL,
        userPoolId: 'pool-1',
        passwordCostBits: 8,
        application: {
          id: 'app-1',
          secret: 'a secret of the application',
          redirectUris: ['http://127.0.0.1:9/callback'],
          logoutRedirectUris: [],
          registration: 'as-provider',
        },
      },
    });
    return { service, provider };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** An RSA pair as releases kept it, and what it signs. */
export async function makeEarlierKey(sealingKey: Uint8Array) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = randomBytes(16).toString('base64url');
  const { e = '', n = '' } = await exportJWK(publicKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    kid,
    pem,
    privateKey,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicJwk: { alg: 'RS256', e, kid, kty: 'RSA', n, use: 'sig' },
    sealed: createKeySeal(sealingKey).seal(pem, kid),
    sign: (claims: JWTPayload) =>
      new SignJWT({ iat: nowSeconds(), exp: nowSeconds() + 3_600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(privateKey),
  };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
export type EarlierKey = Awaited<ReturnType<typeof makeEarlierKey>>;

/** One call of the user pool. */
export async function callService(
  service: IdentityService,
  operation: string,
  input: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const reply = await service.handle({
    method: 'POST',
    url: '/identity',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
    body: JSON.stringify(input),
    address: '127.0.0.1',
  });
  return { status: reply.status, body: JSON.parse(reply.body) as Record<string, unknown> };
}
