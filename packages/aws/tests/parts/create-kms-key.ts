import { callMoto } from './call-moto.ts';
import type { RunningPart } from './start-part.ts';

/** @returns the ARN of a new key */
export async function createKmsKey(moto: RunningPart): Promise<string> {
  const answer = await callMoto(moto, 'kms', 'TrentService.CreateKey', {});
  const { KeyMetadata } = JSON.parse(answer) as { readonly KeyMetadata: { readonly Arn: string } };
  return KeyMetadata.Arn;
}
