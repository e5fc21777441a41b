import { sign } from 'node:crypto';
import {
  proofText,
  type EnrollmentReply,
  type EnrollmentRequest,
} from '@deviceportal/device-protocol/enrollment';
import { createRequest } from './gateway-fixture.ts';

export interface EnrollmentAnswer {
  readonly status: number;
  readonly body: EnrollmentReply & {
    readonly code?: number;
    readonly message?: string;
    readonly facts?: Readonly<Record<string, unknown>>;
  };
  /** The machine's certificate and key afterwards; the key alone if it was rejected. */
  readonly holds: { readonly certificate: string; readonly privateKey: string };
}

export interface EnrollmentAttempt {
  readonly url: string;
  readonly claimToken: string;
  readonly serialNumber: string;
  /** An existing key. */
  readonly machine?: Awaited<ReturnType<typeof createRequest>>;
  /** The identity whose key signs the request. */
  readonly former?: EnrollmentAnswer['holds'];
  /** The claim for which the proof was created, if it is another one. */
  readonly provenFor?: string;
  readonly facts?: Partial<EnrollmentRequest>;
  /** Client address as sent by a trusted proxy. */
  readonly address?: string;
}

/** Enrolls a machine at the server's `/enrol`, with its own key. */
export async function enrollMachineAt(attempt: EnrollmentAttempt): Promise<EnrollmentAnswer> {
  const { claimToken, serialNumber, former } = attempt;
  const { key, request } = attempt.machine ?? (await createRequest());
  const body: EnrollmentRequest = {
    claimToken,
    serialNumber,
    certificateRequest: request,
    model: 'kiosk',
    hostName: 'host',
    platformType: 'Linux',
    platformName: 'Ubuntu',
    platformVersion: '24.04',
    architecture: 'x64',
    agentVersion: '1.0.0',
    ...attempt.facts,
  };
  if (former !== undefined) {
    const text = proofText({ ...body, claimToken: attempt.provenFor ?? claimToken });
    const signature = sign('sha256', Buffer.from(text), former.privateKey).toString('base64');
    body.proof = { certificate: former.certificate, signature };
  }
  const reply = await fetch(`${attempt.url}/enrol`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(attempt.address !== undefined && { 'x-forwarded-for': attempt.address }),
    },
    body: JSON.stringify(body),
  });
  const answered = (await reply.json()) as EnrollmentAnswer['body'];
  return {
    status: reply.status,
    body: answered,
    holds: { certificate: answered.certificate ?? '', privateKey: key },
  };
}
