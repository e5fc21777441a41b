import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publishKeys } from '@deviceportal/command-signing/key-trust';
import { publishRing } from '@deviceportal/command-signing/publish-ring';
import { ENROLLMENT_QUOTA } from '@deviceportal/contract/device-limits';
import { PortalError } from '@deviceportal/contract/errors';
import {
  enrollmentRequestSchema,
  type EnrollmentReply,
  type EnrollmentRequest,
} from '@deviceportal/device-protocol/enrollment';
import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import { refuse } from '@deviceportal/contract/refuse';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { enrollDevice } from '../devices/enrollment/enroll-device.ts';
import type { CountryDatabase } from '../locations/by-address/country-database.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { DeviceKeys } from './certificates/announce-keys.ts';
import {
  readKeyFingerprint,
  type CertificateAuthority,
} from './certificates/certificate-authority.ts';
import type { KeySource } from '../platform/secrets/derived-keys.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { readFormerCertificate } from './certificates/read-former-certificate.ts';
import { WRONG_CLAIMS_WINDOW_SECONDS, WrongClaims } from './wrong-claims.ts';

export interface EnrollmentDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly authority: Pick<CertificateAuthority, 'sign' | 'authorities'>;
  readonly registry?: GatewayDependencies['registry'];
  /** Maps addresses to countries. */
  readonly countries?: CountryDatabase | undefined;
  /** What the device pins: it accepts only commands and updates that these keys signed. */
  readonly deviceKeys: DeviceKeys;
  /** Hashes addresses before they are stored. */
  readonly addressKeys: KeySource;
  readonly connection: ConnectionMessage;
}

const BODY_LIMIT_BYTES = 32 * 1024;

/** POST `/enrol`: exchanges a claim token and a certificate request for a client certificate. */
export function addEnrollmentRoute(app: FastifyInstance, deps: EnrollmentDependencies): void {
  const wrong = new WrongClaims(deps.database, deps.addressKeys);
  const attempts = new TokenBuckets(ENROLLMENT_QUOTA);
  app.post('/enrol', { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    const subscriber = addressBucket(request.ip);
    if (!attempts.of(subscriber).take()) {
      return tooMany(reply, 'too many enrollments from this address', SOON_SECONDS);
    }
    try {
      return await enroll(deps, request);
    } catch (error) {
      if (!(error instanceof PortalError) || error.errorName !== 'noPermission') throw error;
      // Only rejections are limited: many devices share one address, and a valid claim is not a guess.
      if (await wrong.count(subscriber)) throw error;
      return tooMany(
        reply,
        'too many invalid claim tokens from this address',
        WRONG_CLAIMS_WINDOW_SECONDS,
      );
    }
  });
}

async function enroll(
  deps: EnrollmentDependencies,
  request: FastifyRequest,
): Promise<EnrollmentReply> {
  const parsed = safeParse(enrollmentRequestSchema, request.body);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === 'number' ? part : String(part))),
      message,
    }));
    const fields = [...new Set(issues.map(({ path }) => path.join('.')))].join(', ');
    throw refuse('enrollment-invalid', { issues, facts: { fields } });
  }
  requireReleaseKey(deps.deviceKeys, parsed.data);
  const { certificateRequest } = parsed.data;
  const [country] = await findCountry(deps, request.ip);
  const { deviceId, instanceId, certificate } = await enrollDevice(deps, parsed.data, {
    address: request.ip,
    ...(country !== undefined && { country }),
    former: readFormerCertificate(parsed.data, {
      authorities: deps.authority.authorities,
      now: deps.clock(),
    }),
    readKeyFingerprint: () => readKeyFingerprint(certificateRequest),
    // The instance has no id yet: its first certificate is identified by its fingerprint.
    async issueCertificate(id, tx) {
      const subject = { deviceId: id, instanceId: null };
      const issued = await deps.authority.sign(certificateRequest, subject);
      await deps.registry?.register(tx, issued, subject);
      return issued;
    },
  });
  const { runs, releases } = deps.deviceKeys;
  return {
    deviceId,
    instanceId,
    certificate: certificate.certificate,
    authorities: deps.authority.authorities,
    brokerUrl: anyOf(deps.connection.brokerUrls),
    connection: deps.connection,
    runKeys: publishKeys(runs.pinned),
    keyRings: [
      await publishRing('runs', runs, deps.clock()),
      await publishRing('releases', releases, deps.clock()),
    ],
  };
}

/** Agents of earlier releases know one broker: they are spread over all. */
const anyOf = (urls: readonly string[]): string =>
  urls[Math.floor(Math.random() * urls.length)] ?? '';

/**
 * Checked before anything is used up: otherwise the machine would discard the certificate, and its claim would be
 * spent.
 */
function requireReleaseKey({ releases }: DeviceKeys, { releaseKey }: EnrollmentRequest): void {
  if (releaseKey === undefined || releases.pinned.some(({ keyId }) => keyId === releaseKey)) return;
  throw refuse('release-key-unknown', { field: 'releaseKey' });
}

/** An unknown country is no reason for a rejection. */
function findCountry(
  { countries }: EnrollmentDependencies,
  address: string,
): Promise<readonly (string | null)[]> {
  return countries?.countriesOf([address]).catch(() => []) ?? Promise.resolve([]);
}

const SOON_SECONDS = 60;

const tooMany = (reply: FastifyReply, message: string, afterSeconds: number): FastifyReply =>
  reply
    .code(429)
    .header('retry-after', String(afterSeconds))
    .send({ message: `${message}; try again later` });
