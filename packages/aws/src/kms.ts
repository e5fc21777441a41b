import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

/** Data keys of AWS Key Management Service. */
export const createDataKeys: AwsPackage['kms']['createDataKeys'] = (options) => {
  const client = new KMSClient(withTimeouts(options));
  return {
    async generate({ keyArn, context }) {
      const { Plaintext, CiphertextBlob } = await client.send(
        new GenerateDataKeyCommand({
          KeyId: keyArn,
          KeySpec: 'AES_256',
          EncryptionContext: { ...context },
        }),
      );
      if (Plaintext === undefined || CiphertextBlob === undefined) {
        throw new Error('KMS returned no data key');
      }
      return { plain: Plaintext, sealed: CiphertextBlob };
    },
    async open({ keyArn, context, sealed }) {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: sealed,
          EncryptionContext: { ...context },
        }),
      );
      if (Plaintext === undefined) throw new Error('KMS returned no data key');
      return Plaintext;
    },
  };
};
