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
  /** What the machine holds after it; the key alone where it was refused. */
  readonly holds: { readonly certificate: string; readonly privateKey: string };
}

export interface EnrollmentAttempt {
  readonly url: string;
  readonly claimToken: string;
  readonly serialNumber: string;
  /** A key that it has made before. */
  readonly machine?: Awaited<ReturnType<typeof createRequest>>;
  /** The identity whose key signs the request. */
  readonly former?: EnrollmentAnswer['holds'];
  /** The claim that the proof names, where it was made for another. */
  readonly provenFor?: string;
  readonly facts?: Partial<EnrollmentRequest>;
  /** Address as a trusted proxy names it. */
  readonly address?: string;
}

/** A machine at the server's `/enrol`, with a key of its own. */
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
