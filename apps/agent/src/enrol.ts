/** Exchanges a claim token and a certificate request for this device's identity: POST `/enrol`. */

import { sign } from 'node:crypto';
import {
  enrolmentReplySchema,
  proofText,
  type EnrolmentRequest,
} from '@deviceportal/device-protocol/enrolment';
import { createCertificateRequest } from './certificate-request.ts';
import type { InventoryFacts } from './machine/machine.ts';
import type { Identity } from './store/identity-file.ts';

export interface EnrolOptions {
  /** The portal's public address, `https://portal.example.com`. */
  readonly serverUrl: string;
  readonly claimToken: string;
  readonly facts: Omit<EnrolmentRequest, 'claimToken' | 'certificateRequest' | 'proof'>;
  /** Of an enrolment before: its key shows that this is the same machine. */
  readonly former?: Pick<Identity, 'certificate' | 'privateKey'> | undefined;
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
}

/** The server said no, in words for a person. */
export class EnrolmentRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'EnrolmentRefused';
    this.status = status;
  }
}

export async function enrol(options: EnrolOptions): Promise<Identity> {
  const request = await createCertificateRequest({
    // The server names the device; what stands here is not believed.
    commonName: options.facts.serialNumber ?? options.facts.hostName.slice(0, 64),
    privateKeyPem: null,
  });
  const body: EnrolmentRequest = {
    ...options.facts,
    claimToken: options.claimToken,
    certificateRequest: request.certificateRequestPem,
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
    throw new TypeError(`${address.origin} cannot be reached`, { cause: error.cause });
  });
  if (!response.ok) throw new EnrolmentRefused(response.status, await refusalOf(response));
  const reply = enrolmentReplySchema.parse(await response.json());
  return {
    deviceId: reply.deviceId,
    instanceId: reply.instanceId,
    brokerUrl: reply.brokerUrl,
    serverUrl: options.serverUrl,
    certificate: reply.certificate,
    authorities: reply.authorities,
    privateKey: request.privateKeyPem,
    pendingPrivateKey: null,
    runKeys: (reply.runKeys ?? []).map(({ publicKey }) => publicKey),
  };
}

/** What an enrolment tells about the machine, out of its inventory. */
export function enrolmentFacts(inventory: InventoryFacts): EnrolOptions['facts'] {
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

async function refusalOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { message?: unknown };
    if (typeof body.message === 'string') return body.message;
  } catch {
    // Not JSON: a proxy's page says nothing that helps.
  }
  return `the server answered ${response.status}`;
}
