import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

const PREVIOUS = 'AWSPREVIOUS';

/** Secrets of AWS Secrets Manager. */
export const createSecretsManager: AwsPackage['secrets-manager']['createSecretsManager'] = (
  options,
) => {
  const client = new SecretsManagerClient(withTimeouts(options));
  return {
    async read(id) {
      try {
        const found = await client.send(new GetSecretValueCommand({ SecretId: id }));
        return found.SecretBinary ?? Buffer.from(found.SecretString ?? '');
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    async create({ name, description, value }) {
      try {
        const command = { Name: name, Description: description, SecretBinary: value };
        // With a token, a repeated attempt of this call succeeds, and another process fails.
        const ClientRequestToken = randomUUID();
        await client.send(new CreateSecretCommand({ ...command, ClientRequestToken }));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
    async replace(id, value) {
      const change = { SecretId: id, SecretBinary: value, ClientRequestToken: randomUUID() };
      try {
        await client.send(new PutSecretValueCommand(change));
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return false;
        throw error;
      }
      await dropPrevious(client, id);
      return true;
    },
    async remove(id) {
      const removal = { SecretId: id, ForceDeleteWithoutRecovery: true };
      await client.send(new DeleteSecretCommand(removal)).catch((error: unknown) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      });
    },
  };
};

/** Secrets Manager deletes versions without a label. */
async function dropPrevious(client: SecretsManagerClient, SecretId: string): Promise<void> {
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
  for (const [RemoveFromVersionId, stages] of Object.entries(VersionIdsToStages)) {
    if (!stages.includes(PREVIOUS)) continue;
    const label = { SecretId, VersionStage: PREVIOUS, RemoveFromVersionId };
    await client.send(new UpdateSecretVersionStageCommand(label));
  }
}
