/**
 * Renews the client certificate after two thirds of its lifetime, over the connection that it
 * protects.
 */

import { createPublicKey, createPrivateKey, X509Certificate } from 'node:crypto';
import {
  authoritiesMessageSchema,
  certificateMessageSchema,
} from '@deviceportal/device-protocol/messages';
import { createCertificateRequest } from '../certificate-request.ts';
import { type Logger, reasonOf } from '../logger.ts';
import type { Identity } from '../store/identity-file.ts';

/** Delay before an unanswered request is repeated. */
const RETRY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WARN_DAYS = 7;

export interface CertificateRenewalOptions {
  readonly identity: () => Identity;
  /** Resolves when the identity is saved to disk. */
  readonly save: (identity: Identity) => Promise<void>;
  readonly send: (payload: string) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly onRenewed: (facts: { notAfter: string; fingerprint: string }) => void;
}

interface Life {
  readonly dueMs: number;
  readonly endsMs: number;
}

/**
 * The renewal is due after two thirds of the certificate's lifetime; times in milliseconds since
 * 1970.
 */
function lifeOf(certificatePem: string): Life {
  const certificate = new X509Certificate(certificatePem);
  const fromMs = Date.parse(certificate.validFrom);
  const endsMs = Date.parse(certificate.validTo);
  return { dueMs: fromMs + ((endsMs - fromMs) * 2) / 3, endsMs };
}

export class CertificateRenewal {
  readonly #options: CertificateRenewalOptions;
  #life: Life | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** Set for an earlier renewal, when another certificate authority signs. */
  #wantedAtMs = Number.POSITIVE_INFINITY;

  constructor(options: CertificateRenewalOptions) {
    this.#options = options;
  }

  /**
   * The self-check's message when the certificate is about to expire without a renewal; otherwise
   * null.
   */
  warning(): string | null {
    const life = this.#currentLife();
    if (!life) return null;
    const leftDays = Math.floor((life.endsMs - this.#options.now()) / DAY_MS);
    return leftDays >= WARN_DAYS ? null : `the certificate ends in ${Math.max(0, leftDays)} days`;
  }

  #currentLife(): Life | undefined {
    const { certificate } = this.#options.identity();
    if (certificate !== '') this.#life ??= lifeOf(certificate);
    return this.#life;
  }

  /** Cheap enough to call at every heartbeat. */
  async check(): Promise<void> {
    const { now, log } = this.#options;
    const life = this.#currentLife();
    if (!life || now() < Math.min(life.dueMs, this.#wantedAtMs)) return;
    if (now() - this.#askedAtMs < RETRY_MS) return;
    this.#askedAtMs = now();
    try {
      await this.#ask();
    } catch (error) {
      log('warn', 'certificate renewal failed', { reason: reasonOf(error) });
    }
  }

  /** Handles `down/authorities`: the trusted certificate authorities during a rotation. */
  async takeAuthorities(payload: unknown): Promise<void> {
    const { identity, save, now, random } = this.#options;
    const parsed = authoritiesMessageSchema.safeParse(payload);
    const current = identity();
    if (!parsed.success || current.certificate === '') return;
    const { authorities, renewWithinSeconds } = parsed.data;
    if (authorities !== current.authorities) await save({ ...current, authorities });
    if (isIssuedBy(current.certificate, authorities)) return;
    const latestMs = now() + renewWithinSeconds * 1_000;
    // A repeated message does not restart the delay.
    if (this.#wantedAtMs > latestMs) {
      this.#wantedAtMs = now() + random() * renewWithinSeconds * 1_000;
    }
    await this.check();
  }

  async #ask(): Promise<void> {
    const { identity, save, send } = this.#options;
    const current = identity();
    const request = await createCertificateRequest({
      commonName: current.deviceId,
      privateKeyPem: current.pendingPrivateKey,
    });
    // The next start of the agent may receive the response and needs the key.
    await save({ ...current, pendingPrivateKey: request.privateKeyPem });
    await send(
      JSON.stringify({
        instanceId: current.instanceId,
        certificateRequest: request.certificateRequestPem,
      }),
    );
  }

  /** Handles `down/certificate`. */
  async take(payload: unknown): Promise<void> {
    const { identity, save, log, onRenewed } = this.#options;
    const parsed = certificateMessageSchema.safeParse(payload);
    const current = identity();
    const pendingKey = current.pendingPrivateKey;
    if (!parsed.success || pendingKey === null) return;
    try {
      const certificate = new X509Certificate(parsed.data.certificate);
      if (!belongsTo(certificate, pendingKey))
        throw new Error('the certificate is for another key');
      await save({
        ...current,
        certificate: parsed.data.certificate,
        authorities: parsed.data.authorities,
        privateKey: pendingKey,
        pendingPrivateKey: null,
      });
      this.#life = undefined;
      this.#wantedAtMs = Number.POSITIVE_INFINITY;
      onRenewed({
        notAfter: new Date(certificate.validTo).toISOString(),
        fingerprint: certificate.fingerprint256,
      });
    } catch (error) {
      log('error', 'renewed certificate rejected', { reason: reasonOf(error) });
    }
  }
}

/** Whether the first of the authorities issued the certificate. */
function isIssuedBy(certificatePem: string, authorities: string): boolean {
  const authority = new X509Certificate(authorities);
  const certificate = new X509Certificate(certificatePem);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function belongsTo(certificate: X509Certificate, privateKeyPem: string): boolean {
  const publicKey = createPublicKey(createPrivateKey(privateKeyPem));
  return publicKey.equals(certificate.publicKey);
}
