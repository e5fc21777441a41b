/** Renews the client certificate at two thirds of its life, over the connection it protects. */

import { createPublicKey, createPrivateKey, X509Certificate } from 'node:crypto';
import {
  authoritiesMessageSchema,
  certificateMessageSchema,
} from '@deviceportal/device-protocol/messages';
import { createCertificateRequest } from '../certificate-request.ts';
import { type Logger, reasonOf } from '../logger.ts';
import type { Identity } from '../store/identity-file.ts';

/** An unanswered request is made again after so long. */
const RETRY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WARN_DAYS = 7;

export interface CertificateRenewalOptions {
  readonly identity: () => Identity;
  /** Resolves when the identity is on disk. */
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

/** Due at two thirds of the certificate's life; times in milliseconds since 1970. */
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
  /** Before two thirds of the life are over: another authority signs now. */
  #wantedAtMs = Number.POSITIVE_INFINITY;

  constructor(options: CertificateRenewalOptions) {
    this.#options = options;
  }

  /** What the self-check says when the end is near and no renewal has come; else null. */
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

  /** Cheap to call at every heartbeat. */
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

  /** From `down/authorities`: those that count now, while one replaces another. */
  async takeAuthorities(payload: unknown): Promise<void> {
    const { identity, save, now, random } = this.#options;
    const parsed = authoritiesMessageSchema.safeParse(payload);
    const current = identity();
    if (!parsed.success || current.certificate === '') return;
    const { authorities, renewWithinSeconds } = parsed.data;
    if (authorities !== current.authorities) await save({ ...current, authorities });
    if (isIssuedBy(current.certificate, authorities)) return;
    const latestMs = now() + renewWithinSeconds * 1_000;
    // Told again, it does not begin to wait again.
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
    // The answer may come to the next life of the agent: the key must be there.
    await save({ ...current, pendingPrivateKey: request.privateKeyPem });
    await send(
      JSON.stringify({
        instanceId: current.instanceId,
        certificateRequest: request.certificateRequestPem,
      }),
    );
  }

  /** From `down/certificate`. */
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
      log('error', 'a renewed certificate was refused', { reason: reasonOf(error) });
    }
  }
}

/** By the first of the authorities. */
function isIssuedBy(certificatePem: string, authorities: string): boolean {
  const authority = new X509Certificate(authorities);
  const certificate = new X509Certificate(certificatePem);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function belongsTo(certificate: X509Certificate, privateKeyPem: string): boolean {
  const publicKey = createPublicKey(createPrivateKey(privateKeyPem));
  return publicKey.equals(certificate.publicKey);
}
