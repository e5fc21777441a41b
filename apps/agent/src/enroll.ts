/** Exchanges a claim token and a certificate request for this device's identity: POST `/enrol`. */

import { sign } from 'node:crypto';
import { noTrust, takeKeys, trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import {
  enrollmentReplySchema,
  proofText,
  reEnrollmentFactsSchema,
  type EnrollmentReply,
  type EnrollmentRequest,
  type ReEnrollmentFacts,
} from '@deviceportal/device-protocol/enrollment';
import type { KeyRingMessage } from '@deviceportal/device-protocol/messages';
import { LIMIT_REACHED } from '@deviceportal/contract/growth-limits';
import { createCertificateRequest } from './certificate-request.ts';
import type { InventoryFacts } from './machine/machine.ts';
import type { DeviceTrust, Identity } from './store/identity-file.ts';

export interface EnrollOptions {
  /** The portal's public URL, `https://portal.example.com`. */
  readonly serverUrl: string;
  readonly claimToken: string;
  /** ID of the update key that the response must announce. */
  readonly releaseKey?: string | null;
  /** PEM; null generates a key for this attempt. */
  readonly privateKey?: string | null;
  readonly facts: Omit<
    EnrollmentRequest,
    'claimToken' | 'certificateRequest' | 'releaseKey' | 'proof'
  >;
  /** Identity of an earlier enrollment. Its key proves that this is the same machine. */
  readonly former?: Pick<Identity, 'certificate' | 'privateKey'> | undefined;
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
}

/** The server rejected the enrollment. The message is readable. */
export class EnrollmentRefused extends Error {
  readonly status: number;
  /** The facts that a user can decide on. */
  readonly reEnrollment: ReEnrollmentFacts | null;

  /** Whether a retry can succeed: a user has not decided yet, or there are too many requests. */
  readonly isUndecided: boolean;

  constructor(status: number, message: string, facts?: { readonly reason?: unknown }) {
    super(message);
    this.name = 'EnrollmentRefused';
    this.status = status;
    this.reEnrollment = reEnrollmentFactsSchema.safeParse(facts).data ?? null;
    const isOpen =
      this.reEnrollment !== null && this.reEnrollment.reason !== 're-enrolment-rejected';
    this.isUndecided = isOpen || status === 429 || facts?.reason === LIMIT_REACHED;
  }
}

export async function enroll(options: EnrollOptions): Promise<Identity> {
  const request = await createCertificateRequest({
    // The server determines the device's identity. This name is only informational.
    commonName: options.facts.serialNumber ?? options.facts.hostName.slice(0, 64),
    privateKeyPem: options.privateKey ?? null,
  });
  const body: EnrollmentRequest = {
    ...options.facts,
    claimToken: options.claimToken,
    certificateRequest: request.certificateRequestPem,
    ...(options.releaseKey && { releaseKey: options.releaseKey }),
  };
  const { former } = options;
  if (former !== undefined) {
    const signature = sign('sha256', Buffer.from(proofText(body)), former.privateKey);
    body.proof = { certificate: former.certificate, signature: signature.toString('base64') };
  }
  const address = new URL('/enrol', options.serverUrl);
  const response = await (options.fetch ?? fetch)(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`cannot connect to ${address.origin}`, { cause: error.cause });
  });
  if (!response.ok) throw await refusalOf(response);
  const reply = enrollmentReplySchema.parse(await response.json());
  const trust = trustOf(reply);
  requireReleaseKey(trust, options);
  return {
    deviceId: reply.deviceId,
    instanceId: reply.instanceId,
    brokerUrl: reply.brokerUrl,
    connection: reply.connection,
    serverUrl: options.serverUrl,
    certificate: reply.certificate,
    authorities: reply.authorities,
    privateKey: request.privateKeyPem,
    pendingPrivateKey: null,
    trust,
  };
}

/** A server that does not announce the expected update key is not the one that showed it. */
function requireReleaseKey({ releases }: DeviceTrust, { releaseKey }: EnrollOptions): void {
  if (releaseKey === undefined || releaseKey === null) return;
  if (releases.keys.some((key) => trustedKeyOf(key).keyId === releaseKey)) return;
  throw new EnrollmentRefused(400, 'the server does not have the expected update key');
}

/** The announced key rings. Older servers announce only run keys. */
function trustOf({ runKeys = [], keyRings = [] }: EnrollmentReply): DeviceTrust {
  const older: KeyRingMessage[] = runKeys.length === 0 ? [] : [{ ring: 'runs', keys: runKeys }];
  const announced = keyRings.length > 0 ? keyRings : older;
  const taken = announced.map((ring) => [ring.ring, takeKeys(noTrust, ring)]);
  return { runs: noTrust, releases: noTrust, ...Object.fromEntries(taken) };
}

/** Facts about the machine for the enrollment, from its inventory. */
export function enrollmentFacts(inventory: InventoryFacts): EnrollOptions['facts'] {
  const { serialNumber, model, hostName, platformType, platformName } = inventory;
  const { platformVersion, architecture, agentVersion } = inventory;
  return {
    serialNumber,
    model,
    hostName,
    platformType,
    platformName,
    platformVersion,
    architecture,
    agentVersion,
  };
}

async function refusalOf(response: Response): Promise<EnrollmentRefused> {
  const text = await response.text();
  try {
    const { message, facts } = JSON.parse(text) as {
      message?: unknown;
      facts?: { reason?: unknown };
    };
    if (typeof message === 'string') return new EnrollmentRefused(response.status, message, facts);
  } catch {
    // Not JSON. The page of a proxy contains no useful reason.
  }
  return new EnrollmentRefused(response.status, `the server returned HTTP ${response.status}`);
}
