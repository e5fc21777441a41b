import { X509Certificate } from 'node:crypto';
// Node has no `tls.createSecureContext` in a process that loads it only after `toLegacyObject`.
import 'node:tls';
import { z } from 'zod';
import { safeParse } from '@deviceportal/contract/safe-parse';
import type { ConnectRequest } from '../device-transport.ts';
import type { NatsSigner } from './nats-keys.ts';
import { rightsOf } from './nats-subjects.ts';
import { readToken, signToken } from './nats-tokens.ts';

/** The account of devices and gateways (deploy/nats/nats.conf). */
const DEVICE_ACCOUNT = 'DEVICES';

/** NATS counts its own headers. */
const HEADER_BYTES = 4_096;
/** A device has one subscription, and NATS a few more for it. */
const MOST_SUBSCRIPTIONS = 16;

/** https://github.com/nats-io/jwt, `AuthorizationRequestClaims`. */
const requestSchema = z.object({
  iss: z.string(),
  aud: z.literal('nats-authorization-request'),
  exp: z.number(),
  nats: z.object({
    type: z.literal('authorization_request'),
    server_id: z.object({ id: z.string() }),
    user_nkey: z.string(),
    client_info: z.object({
      host: z.string().optional(),
      type: z.string().optional(),
      mqtt_id: z.string().optional(),
    }),
    client_tls: z.object({ verified_chains: z.array(z.array(z.string())).optional() }).optional(),
  }),
});

/** A connection about which NATS asks. */
export interface AdmissionRequest {
  /** The server that asks. */
  readonly serverId: string;
  /** A key of this connection only. */
  readonly userKey: string;
  /** Undefined if it is not an MQTT connection with a verified certificate that names one device. */
  readonly device: ConnectRequest | undefined;
  /** MQTT client ID. */
  readonly clientId: string | undefined;
}

/** @throws Error if no server of NATS has signed the request, or it is too old */
export function readAdmissionRequest(token: string, now: Date): AdmissionRequest {
  const parsed = safeParse(requestSchema, readToken(token, 'server'));
  if (!parsed.success) throw new Error('not an authorization request');
  const { iss, exp, nats } = parsed.data;
  if (iss !== nats.server_id.id) throw new Error('not signed by the server that asks');
  if (exp * 1_000 < now.getTime()) throw new Error('expired');
  const [chain] = nats.client_tls?.verified_chains ?? [];
  const { host, type, mqtt_id: clientId } = nats.client_info;
  return {
    serverId: nats.server_id.id,
    userKey: nats.user_nkey,
    device: type === 'mqtt' ? readCertificate(chain?.[0], host ?? null) : undefined,
    clientId,
  };
}

/** The answer that gives a device its own topics, until its certificate ends. */
export function admissionToken(
  signer: NatsSigner,
  request: AdmissionRequest,
  device: ConnectRequest,
  maxMessageBytes: number,
): string {
  const { publish, subscribe } = rightsOf(device.deviceId);
  const endsAt = device.certificateEndsAt;
  const user = signToken(signer, {
    sub: request.userKey,
    aud: DEVICE_ACCOUNT,
    name: device.deviceId,
    ...(endsAt !== null && { exp: Math.floor(new Date(endsAt).getTime() / 1_000) }),
    nats: {
      ...{ type: 'user', version: 2 },
      pub: { allow: [publish] },
      sub: { allow: [subscribe] },
      ...{ subs: MOST_SUBSCRIPTIONS, data: -1, payload: maxMessageBytes + HEADER_BYTES },
      allowed_connection_types: ['MQTT'],
    },
  });
  return answerToken(signer, request, { jwt: user });
}

/** @param reason is written to the log of NATS */
export const refusalToken = (
  signer: NatsSigner,
  request: AdmissionRequest,
  reason: string,
): string => answerToken(signer, request, { error: reason });

const answerToken = (
  signer: NatsSigner,
  { serverId, userKey }: AdmissionRequest,
  answer: { readonly jwt: string } | { readonly error: string },
): string =>
  signToken(signer, {
    sub: userKey,
    aud: serverId,
    nats: { type: 'authorization_response', version: 2, ...answer },
  });

function readCertificate(
  pem: string | undefined,
  address: string | null,
): ConnectRequest | undefined {
  if (pem === undefined) return undefined;
  const certificate = new X509Certificate(pem);
  const { CN, OU } = certificate.toLegacyObject().subject;
  // A certificate with two names does not identify a device.
  if (typeof CN !== 'string') return undefined;
  return {
    deviceId: CN,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    instanceId: typeof OU === 'string' ? OU : null,
    certificateStartsAt: certificate.validFromDate.toISOString(),
    certificateEndsAt: certificate.validToDate.toISOString(),
    address,
  };
}
