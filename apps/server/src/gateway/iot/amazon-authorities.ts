import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** "Server authentication" (AWS IoT Core Developer Guide). */
const NAMES = /^CN=(?:Amazon Root CA \d|Starfield Services Root Certificate Authority - G2)$/m;

/** The authorities of Amazon among those that this Node trusts, as PEM. */
export const amazonAuthorities = (): string =>
  rootCertificates.filter((pem) => NAMES.test(new X509Certificate(pem).subject)).join('\n');
