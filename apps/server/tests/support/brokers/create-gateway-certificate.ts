import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { createRequest } from '../gateway-fixture.ts';

/** The client certificate of a gateway, of the authority of devices, in PEM. */
export async function createGatewayCertificate(
  authority: Pick<CertificateAuthority, 'sign'>,
): Promise<{ readonly certificate: string; readonly key: string }> {
  const { key, request } = await createRequest();
  const subject = { deviceId: 'deviceportal-gateway', instanceId: null };
  const { certificate } = await authority.sign(request, subject);
  return { certificate, key };
}
