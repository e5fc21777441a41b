import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { sm2 } from 'sm-crypto';

const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const curve = sm2.generateKeyPairHex();

/** Keys of the test provider. */
export const providerKeys = {
  rsaPublic: rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  sm2Public: curve.publicKey,
};

/**
 * Decrypts encrypted passwords with an independent implementation. Other texts are returned
 * unchanged.
 */
export function openPassword(text: string): string {
  if (text.startsWith('sm2:')) {
    return `<SM2:${sm2.doDecrypt(text.slice('sm2:'.length), curve.privateKey, 1)}>`;
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 128 || bytes.toString('base64') !== text) return text;
  const options = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PADDING };
  return `<RSA:${privateDecrypt(options, bytes).toString('utf8')}>`;
}
