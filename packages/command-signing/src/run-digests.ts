import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import { canonicalSha256 } from './canonical-json.ts';
import type { RunInstructions, SignedSoftware } from './run-statement.ts';

/** The part of a command that is the same for all devices of its run. */
export type SharedCommand = Pick<
  CommandMessage,
  | 'documentName'
  | 'documentVersion'
  | 'content'
  | 'documents'
  | 'parameters'
  | 'storeValues'
  | 'phases'
  | 'isUndo'
  | 'holder'
  | 'executionTimeoutSeconds'
>;

/**
 * The instructions in a run's statement. Server and agent compute the same result from the same
 * values, regardless of member order.
 *
 * @param blinding random text that is sent with the command, because the digest of a short secret
 * alone could be guessed
 */
export function describeInstructions(
  command: SharedCommand,
  {
    blinding,
    software,
  }: { readonly blinding: string; readonly software: readonly SignedSoftware[] },
): RunInstructions {
  const { parameters, storeValues } = command;
  return {
    document: {
      name: command.documentName,
      version: command.documentVersion,
      sha256: canonicalSha256(command.content),
    },
    documents: Object.fromEntries(
      Object.entries(command.documents).map(([reference, document]) => [
        reference,
        canonicalSha256(document),
      ]),
    ),
    parameters: canonicalSha256({ blinding, parameters, storeValues }),
    phases: command.phases,
    isUndo: command.isUndo,
    holder: command.holder,
    executionTimeoutSeconds: command.executionTimeoutSeconds,
    software: software.map(({ component, version, sha256, bytes }) => ({
      component,
      version,
      sha256,
      bytes,
    })),
  };
}
