import { blockHash, type AuditBlock, type AuditKey } from '@deviceportal/audit-proof/audit-block';
import { fromBase64Url } from '@deviceportal/audit-proof/hashing';
import { StartError } from '../../platform/process/start-error.ts';
import { isSignedBy, proofTools } from '../export/proof-tools.ts';
import { readCheckpoint } from './read-checkpoint.ts';

/**
 * The block of a checkpoint. The file can be changed as easily as the database if both are stored together, so its own keys
 * are not trusted.
 *
 * @throws StartError if the file is not a checkpoint, or none of the keys signed its block
 */
export async function requireTrustedCheckpoint(
  file: string,
  trustedKeys: readonly AuditKey[],
): Promise<AuditBlock> {
  const { block } = await readCheckpoint(file);
  if (isAuthentic(block, trustedKeys)) return block;
  throw new StartError(
    `Fault: the checkpoint ${file} is not signed by a key of this installation or of --keys FILE.`,
  );
}

function isAuthentic(block: AuditBlock, trustedKeys: readonly AuditKey[]): boolean {
  const key = trustedKeys.find(({ id }) => id === block.keyId);
  return (
    key !== undefined &&
    blockHash(proofTools.sha256, block) === block.hash &&
    isSignedBy(
      fromBase64Url(key.publicKey),
      Buffer.from(block.signature, 'base64url'),
      Buffer.from(block.hash, 'hex'),
    )
  );
}
