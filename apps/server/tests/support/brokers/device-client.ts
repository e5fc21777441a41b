import mqtt, { type MqttClient } from 'mqtt';
import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { createRequest } from '../gateway-fixture.ts';

export interface ConnectOptions {
  /** The broker. */
  readonly url: string;
  /** The common name of the certificate. */
  readonly deviceId: string;
  /** Issues the certificate. */
  readonly authority: Pick<CertificateAuthority, 'authorities' | 'sign'>;
  /** Authorities of the broker, if it is not of `authority`. */
  readonly trusted?: string;
  /** Default: the ID of the device. */
  readonly clientId?: string;
  readonly will?: { readonly topic: string; readonly payload: Buffer; readonly qos: 1 };
}

/**
 * A bare client with a certificate, as an attacker would write it.
 *
 * @throws Error if the broker does not admit it
 */
export async function connectClient(options: ConnectOptions): Promise<MqttClient> {
  const { url, deviceId, authority, trusted = authority.authorities, will } = options;
  const { key, request } = await createRequest();
  const { certificate } = await authority.sign(request, { deviceId, instanceId: null });
  const client = await mqtt.connectAsync(
    url,
    {
      clientId: options.clientId ?? deviceId,
      reconnectPeriod: 0,
      protocolVersion: 4,
      ...{ ca: trusted, key, cert: certificate },
      ...(will && { will: { ...will, retain: false } }),
    },
    false,
  );
  client.on('error', () => {});
  return client;
}
